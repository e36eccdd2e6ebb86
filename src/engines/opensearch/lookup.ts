import { backOffMs } from './back-off.ts'
import type { OpenSearch } from './client.ts'
import { EngineAwayError, EngineRefusedError } from './faults.ts'

/** Reads documents by id, as they are at this moment, refreshed or not. Questions of the same moment share a request. */
export interface Lookup {
  /** `fields`: what is needed of it. `undefined`: not there. */
  find<Source>(id: string, fields: readonly string[]): Promise<Source | undefined>
}

interface Question {
  readonly id: string
  readonly fields: readonly string[]
  resolve(source: unknown): void
  reject(error: unknown): void
}

interface FoundDocument {
  readonly found?: boolean
  readonly _source?: unknown
  readonly error?: { readonly type?: string; readonly reason?: string }
}

const MAX_QUESTIONS = 100

export function openLookup(engine: OpenSearch, alias: string): Lookup {
  let gathered: Question[] = []

  function send(): void {
    const questions = gathered
    gathered = []
    if (questions.length === 0) return
    answer(questions).catch((error) => {
      for (const { reject } of questions) reject(error)
    })
  }

  async function answer(questions: readonly Question[]): Promise<void> {
    const documents = await read(questions.map(({ id, fields }) => ({ _id: id, _source: fields })))
    for (const [i, { resolve }] of questions.entries()) resolve(documents[i]?.found ? documents[i]._source : undefined)
  }

  /** A shard that has no node at the moment answers with an error in place of its documents. */
  async function read(docs: readonly object[]): Promise<readonly FoundDocument[]> {
    const since = engine.clock.now()
    for (let failures = 1; ; failures++) {
      const { status, body } = await engine.ask<{ readonly docs: readonly FoundDocument[] }>({
        method: 'POST',
        path: `/${alias}/_mget?filter_path=docs.found,docs._source,docs.error`,
        body: { docs },
      })
      if (status !== 200) throw new EngineRefusedError(`read from ${alias}`, status, body)
      const fault = body.docs.find(({ error }) => error !== undefined)?.error
      if (!fault) return body.docs
      if (fault.type === 'index_not_found_exception')
        throw new EngineRefusedError(`read from ${alias}`, 404, { error: fault })
      const waitedMs = engine.clock.now() - since
      if (waitedMs >= engine.config.patienceMs)
        throw new EngineAwayError(engine.place, waitedMs, fault.reason ?? fault.type ?? 'a part of it is away')
      await engine.clock.sleep(backOffMs(failures))
    }
  }

  return {
    find: <Source>(id: string, fields: readonly string[]) =>
      new Promise<Source | undefined>((resolve, reject) => {
        if (gathered.length === 0) setImmediate(send)
        gathered.push({ id, fields, resolve: resolve as (source: unknown) => void, reject })
        if (gathered.length >= MAX_QUESTIONS) send()
      }),
  }
}
