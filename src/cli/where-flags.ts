import { relative } from 'node:path'
import type { Invocation } from './command.ts'

/** Names the crawl that a command is about as its user did, so that a hint can be copied. */
export function whereFlags({ given, out }: Pick<Invocation, 'given' | 'out'>): string {
  const folder = given.out === undefined ? '' : ` --out ${relative('.', out) || '.'}`
  const others = ['config', 'server', 'crawl'].filter((name) => given[name] !== undefined)
  return folder + others.map((name) => ` --${name} ${given[name]}`).join('')
}
