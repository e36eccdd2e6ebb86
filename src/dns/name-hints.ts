import type { Resolution } from './resolver.ts'

/** Answers that others have had: asked before a name server is, where there are some. */
export interface NameHints {
  /** `undefined`: there is none, or it cannot be had right now. Never throws, and never takes long. `ttlMs` is what is left. */
  get(name: string): Promise<Resolution | undefined>
  /** Tells others, for `ttlMs`. Never throws; nobody waits for it. */
  put(name: string, resolution: Resolution): void
}
