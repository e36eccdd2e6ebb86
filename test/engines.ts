import { type EngineName, engineTitles, missingVariable } from '../scripts/engines/names.ts'

/** Where an engine is, or why a test that needs it is skipped: `test('…', { skip: engine.skip ?? false }, …)`. */
export type EngineForTests =
  | { readonly url: string; readonly skip?: never }
  | { readonly skip: string; readonly url?: never }

/**
 * The engine that `npm test`, or whoever set the environment, has started. All tests share it, at the same time: use
 * names (prefixes, buckets, topics, indexes) made by chance, and leave it running. A test that kills or restarts an
 * engine starts one of its own.
 */
export function engineFor(name: EngineName, environment: NodeJS.ProcessEnv = process.env): EngineForTests {
  const { title, variable } = engineTitles[name]
  const url = environment[variable]
  if (url) return { url }
  const missing = environment[missingVariable(name)]
  return { skip: missing || `${title}: ${variable} is not set (npm test starts engines, and so does npm run engines)` }
}
