import { engineNames, engineTitles } from './engines/names.ts'
import { enginesNeeded } from './engines/needed.ts'
import { variables } from './engines/shown.ts'
import { type Start, startEngines, stopEngines } from './engines/start-engines.ts'

/** Whether a missing engine is a failure, as in CI, or a reason to skip. */
export const enginesAreRequired = (environment: NodeJS.ProcessEnv = process.env) =>
  environment.ORBWEAVER_TEST_REQUIRE_ENGINES === '1'

/**
 * Starts what the test files need, unless the environment names it already, and tells it to the processes that run them.
 * All ends with this process, however that ends.
 */
export async function openEngines(files: readonly string[]): Promise<AsyncDisposable & { readonly starts: Start[] }> {
  const startedAt = performance.now()
  const starts = await startEngines(enginesNeeded(files), (line) => console.log(line))
  Object.assign(process.env, variables(starts))
  if (starts.length > 0) console.log(`${showStarts(starts, (performance.now() - startedAt) / 1000)}\n`)
  return { starts, [Symbol.asyncDispose]: () => stopEngines(starts) }
}

export function showStarts(starts: readonly Start[], seconds: number): string {
  const named = (kind: Start['kind']) =>
    starts.filter((start) => start.kind === kind).map(({ name }) => engineTitles[name].title)
  const started = named('started')
  return [
    ...(started.length > 0 ? [`Engines started in ${seconds.toFixed(1)} s: ${started.join(', ')}`] : []),
    ...(named('given').length > 0 ? [`Engines given: ${named('given').join(', ')}`] : []),
    ...new Set(starts.flatMap((start) => (start.kind === 'missing' ? [`Missing: ${start.reason}`] : []))),
  ].join('\n')
}

/** Skipped because of an engine: the reason begins with its name. Other skips are about the machine, not about us. */
export const isForWantOfEngine = (reason: string) =>
  engineNames.some((name) => reason.startsWith(`${engineTitles[name].title}: `))
