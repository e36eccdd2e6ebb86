import { createHash } from 'node:crypto'
import { UsageError } from '../../config/usage-error.ts'
import type { OpenSearch } from './client.ts'
import { EngineRefusedError } from './faults.ts'

/** What an index holds, how, and in which version of that. */
export interface IndexPlan {
  /** Last part of its name: `pages`, `records`. */
  readonly kind: string
  readonly version: number
  readonly settings: object
  readonly mappings: object
  /** What a person can do about an index of another version. */
  readonly remedy: string
}

/**
 * `orbweaver.news.pages`: what is read and written is an alias, behind which the index can be exchanged. Each crawl has its
 * own, so that it is removed without a trace, rebuilt alone, and ranked by its own words.
 */
export function aliasOf({ config }: OpenSearch, crawl: string, kind: string): string {
  return `${config.prefix}.${nameOf(crawl)}.${kind}`
}

/** Engines allow few characters in names; whatever else a crawl is called, its name stays one of its own. */
function nameOf(crawl: string): string {
  if (/^[a-z0-9_-]{1,100}$/.test(crawl)) return crawl
  const readable = crawl
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, '-')
    .slice(0, 80)
  return `${readable}-${createHash('sha256').update(crawl).digest('hex').slice(0, 16)}`
}

/** Makes the index behind the alias when there is none, also when several do so at once; refuses one of another version. */
export async function ensureIndex(engine: OpenSearch, alias: string, plan: IndexPlan): Promise<void> {
  const current = await currentIndex(engine, alias)
  if (current) return checkVersion(alias, current.version, plan)
  await createIndex(engine, `${alias}-v${plan.version}`, plan, alias)
  const made = await currentIndex(engine, alias)
  if (!made)
    throw new UsageError(
      `The index ${alias}-v${plan.version} exists, but the alias ${alias} does not lead to it: ${plan.remedy}.`,
    )
  checkVersion(alias, made.version, plan)
}

/** The index behind an alias, or of that name; `version` is `undefined` if it is none of ours. */
export async function currentIndex(engine: OpenSearch, alias: string) {
  type Mappings = Record<string, { readonly mappings?: { readonly _meta?: { readonly orbweaver?: number } } }>
  const { status, body } = await engine.ask<Mappings>({ method: 'GET', path: `/${alias}/_mapping` })
  if (status === 404) return undefined
  if (status !== 200) throw new EngineRefusedError(`read the mapping of ${alias}`, status, body)
  const [name, index] = Object.entries(body)[0] ?? []
  return name === undefined ? undefined : { name, version: index?.mappings?._meta?.orbweaver }
}

/** An index that exists already is left as it is. */
export async function createIndex(engine: OpenSearch, name: string, plan: IndexPlan, alias: string): Promise<void> {
  const { shards, replicas } = engine.config
  const { status, body } = await engine.ask<{ readonly error?: { readonly type?: string } }>({
    method: 'PUT',
    path: `/${name}`,
    body: {
      settings: { number_of_shards: shards, number_of_replicas: replicas, ...plan.settings },
      mappings: { ...plan.mappings, _meta: { orbweaver: plan.version } },
      aliases: { [alias]: {} },
    },
  })
  if (status !== 200 && body?.error?.type !== 'resource_already_exists_exception')
    throw new EngineRefusedError(`create the index ${name}`, status, body)
}

function checkVersion(alias: string, version: number | undefined, plan: IndexPlan): void {
  if (version === plan.version) return
  const found = version === undefined ? 'was not made by Orbweaver' : `has the layout ${version}`
  throw new UsageError(`The index ${alias} ${found}, and layout ${plan.version} is needed: ${plan.remedy}.`)
}

/** All names of the alias change hands in one step: whoever reads or writes finds the old index or the new one. */
export async function moveAlias(
  engine: OpenSearch,
  alias: string,
  { from, to, and }: { readonly from: string | undefined; readonly to: string; readonly and: string },
): Promise<void> {
  const { status, body } = await engine.ask({
    method: 'POST',
    path: '/_aliases',
    body: {
      actions: [
        ...(from === undefined ? [] : [{ remove: { index: from, alias } }]),
        { add: { index: to, alias } },
        { remove: { index: to, alias: and } },
      ],
    },
  })
  // Done once already, when the answer to the first try was lost.
  if (status !== 200 && (await currentIndex(engine, alias))?.name !== to)
    throw new EngineRefusedError(`move the alias ${alias} to ${to}`, status, body)
}

/** Removes indexes made for this alias that it does not lead to: what is old, and what was never finished. */
export async function dropStrayIndexes(engine: OpenSearch, alias: string): Promise<void> {
  await dropIndexes(engine, `${alias}-v*`, (aliases) => !aliases.includes(alias))
}

/** Removes everything that a crawl has in this engine. */
export async function dropCrawl(engine: OpenSearch, crawl: string): Promise<void> {
  await dropIndexes(engine, aliasOf(engine, crawl, '*'))
}

/** By name, one after the other: engines may refuse a removal by pattern. */
export async function dropIndexes(
  engine: OpenSearch,
  pattern: string,
  which: (aliases: readonly string[]) => boolean = () => true,
): Promise<void> {
  type Indexes = Record<string, { readonly aliases?: object }>
  const found = await engine.ask<Indexes>({ method: 'GET', path: `/${pattern}/_alias` })
  if (found.status === 404) return
  if (found.status !== 200) throw new EngineRefusedError(`list ${pattern}`, found.status, found.body)
  for (const [name, { aliases }] of Object.entries(found.body)) {
    if (!which(Object.keys(aliases ?? {}))) continue
    const { status, body } = await engine.ask({ method: 'DELETE', path: `/${name}` })
    if (status !== 200 && status !== 404) throw new EngineRefusedError(`remove the index ${name}`, status, body)
  }
}
