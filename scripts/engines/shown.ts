import { stringify } from 'yaml'
import { type EngineName, engineTitles, missingVariable } from './names.ts'
import { bucket, type Start } from './start-engines.ts'

/** The variables by which tests find the engines, and learn why one is missing. */
export function variables(starts: readonly Start[]): Record<string, string> {
  return Object.fromEntries(
    starts.map((start) =>
      start.kind === 'missing'
        ? [missingVariable(start.name), start.reason]
        : [engineTitles[start.name].variable, start.url],
    ),
  )
}

/** Lines for a shell; what is missing stays unset. */
export function exportLines(starts: readonly Start[]): string[] {
  return Object.entries(variables(starts.filter(({ kind }) => kind !== 'missing'))).map(
    ([variable, url]) => `export ${variable}=${url}`,
  )
}

/** The settings of a crawl that runs on these engines. Of a single Redis and a Cluster the single one is taken. */
export function fleetSettings(starts: readonly Start[]): { engines: Record<string, object> } {
  const urls = new Map<EngineName, string>(
    starts.flatMap((start) => (start.kind === 'missing' ? [] : [[start.name, start.url] as const])),
  )
  const list = (name: EngineName) => urls.get(name)!.split(',')
  const redis = urls.has('redis') ? { url: urls.get('redis') } : { cluster: list('redis-cluster') }
  return {
    engines: {
      ...(urls.has('redis') || urls.has('redis-cluster') ? { redis } : {}),
      ...(urls.has('kafka') ? { kafka: { brokers: list('kafka') } } : {}),
      ...(urls.has('s3') ? { s3: { endpoint: urls.get('s3'), bucket, forcePathStyle: true } } : {}),
      ...(urls.has('opensearch') ? { opensearch: { urls: list('opensearch'), replicas: 0 } } : {}),
    },
  }
}

export const fleetYaml = (starts: readonly Start[]) => stringify(fleetSettings(starts)).trimEnd()

/** One line for each engine. */
export function showStart(start: Start): readonly [title: string, what: string] {
  const { title } = engineTitles[start.name]
  if (start.kind === 'missing') return [title, `missing: ${start.reason.replace(`${title}: `, '')}`]
  return [title, start.kind === 'given' ? `${start.url} (given by ${engineTitles[start.name].variable})` : start.url]
}
