import * as z from 'zod'

/** What comes in pages is bounded: who wants further pages asks for them. */
export const maxOffset = 10_000
export const maxLimit = 500
export const maxHits = 100

export const offset = z.int().min(0).max(maxOffset).default(0).describe('Skips so many')

export const limit = (usual: number, most = maxLimit) =>
  z.int().min(1).max(most).default(usual).describe('At most so many')

/** Milliseconds since 1970. */
export const moment = z.number().describe('Milliseconds since 1970')

export const changed = z.object({ changed: z.int().min(0).describe('How many were changed') })

/** For what must say at least one thing: the document tells it as `minProperties`. */
export const namesSomething = (given: object) => Object.values(given).some((value) => value !== undefined)
