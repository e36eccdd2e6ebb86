import type { AnswerOf } from '../../../api/route.ts'
import type { Routes } from '../../../api/routes.ts'
import type { Role } from '../../../api/schemas/session.ts'
import { ApiError, type Client, createClient } from '../../../client.ts'
import { store } from './store.ts'

export type Session = AnswerOf<Routes['getSession']>

/** `locked`: the server asks for a token. */
export type Entry =
  | { readonly kind: 'entering' }
  | { readonly kind: 'locked' }
  | { readonly kind: 'in'; readonly session: Session }

export const entry = store<Entry>({ kind: 'entering' })

/** For as long as the tab is open. */
const keptToken = () => sessionStorage.getItem('token') ?? undefined

let client = createClient({ server: '', token: keptToken() })

/** The API as this reader may use it. */
export const api = (): Client => client

export function keepToken(token: string): void {
  sessionStorage.setItem('token', token)
  client = createClient({ server: '', token })
}

/** Asks the server who we are; a server that does not answer is asked again by whoever calls. */
export async function enter(): Promise<void> {
  try {
    entry.set({ kind: 'in', session: await client.getSession() })
  } catch (error) {
    if (!noteLock(error)) throw error
  }
}

/** A token that is not, or no longer, good: the reader is asked for another. Answers whether it was that. */
export function noteLock(error: unknown): boolean {
  const isLocked = error instanceof ApiError && error.status === 401
  if (isLocked) entry.set({ kind: 'locked' })
  return isLocked
}

const roles: readonly Role[] = ['viewer', 'operator', 'admin']

/** Whether the reader may do what this role may. */
export function may(role: Role): boolean {
  return entry.value.kind === 'in' && roles.indexOf(entry.value.session.role) >= roles.indexOf(role)
}
