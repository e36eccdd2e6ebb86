import type { Tree } from '../config/load.ts'

export const hidden = '••••'

const secretName = /password|secret|token|credential|passphrase|apikey|(?:^|[a-z])Key$|^key$/i
/** Names of files that hold secrets are no secrets, nor are ids of keys. */
const openName = /(?:File|KeyId)$/

/** The same with every secret replaced, also those that stand in addresses. */
export function withoutSecrets(tree: Tree): Tree {
  return Object.fromEntries(Object.entries(tree).map(([name, value]) => [name, shown(name, value)]))
}

export function shown(name: string, value: unknown): unknown {
  if (value === null || value === undefined || value === '') return value
  const last = name.slice(name.lastIndexOf('.') + 1)
  if (secretName.test(last) && !openName.test(last)) return hidden
  if (Array.isArray(value)) return value.map((one) => shown(name, one))
  if (typeof value === 'object') return withoutSecrets(value as Tree)
  return typeof value === 'string' ? withoutUserInfo(value) : value
}

/** `redis://user:secret@host` → `redis://••••@host`. */
function withoutUserInfo(text: string): string {
  return text.replaceAll(/([a-z][a-z0-9+.-]*:\/\/)[^/?#\s]*@/gi, `$1${hidden}@`)
}
