import { basename, relative } from 'node:path'

/** What is read of an event of `node:test`. */
export interface TestEvent {
  readonly type: string
  readonly data: {
    readonly name?: string
    readonly file?: string | undefined
    readonly skip?: string | boolean | undefined
    readonly details?: { readonly type?: string | undefined }
  }
}

/** How a conformance suite went over one adapter. */
export interface Coverage {
  readonly suite: string
  readonly adapter: string
  passed: number
  failed: number
  /** Reasons of the skipped tests. */
  readonly skipped: string[]
}

const isSuiteFile = (file: string | undefined): file is string => file?.endsWith('.conformance.ts') ?? false

export const suiteName = (file: string) => basename(file, '.conformance.ts')

/**
 * Gathers which conformance suite ran over which adapter. A test of a suite says where it is written, in the suite; which
 * adapter it ran over is told by the file that ran it, and that is named when the file's events end.
 */
export class ConformanceTable {
  readonly #root: string
  readonly #rows = new Map<string, Coverage>()
  #ofThisFile: TestEvent[] = []

  constructor(root: string) {
    this.#root = root
  }

  see(event: TestEvent): void {
    const { type, data } = event
    const isResult = type === 'test:pass' || type === 'test:fail'
    if (isResult && isSuiteFile(data.file)) this.#ofThisFile.push(event)
    const endsFile = (type === 'test:summary' && data.file) || (type === 'test:fail' && data.name === data.file)
    if (endsFile) this.#attribute(data.file!)
  }

  /** Rows by suite and adapter; a suite that ran over nothing is there too, without an adapter. */
  rows(suiteFiles: readonly string[]): Coverage[] {
    const run = new Set([...this.#rows.values()].map(({ suite }) => suite))
    const idle = suiteFiles.map(suiteName).filter((suite) => !run.has(suite))
    const rows = [...this.#rows.values(), ...idle.map((suite) => coverage(suite, ''))]
    return rows.sort((a, b) => a.suite.localeCompare(b.suite) || a.adapter.localeCompare(b.adapter))
  }

  #attribute(testFile: string): void {
    const adapter = /\/adapters\/([^/]+)\//.exec(testFile)?.[1] ?? relative(this.#root, testFile)
    for (const event of this.#ofThisFile) this.#count(event, adapter)
    this.#ofThisFile = []
  }

  #count({ type, data }: TestEvent, adapter: string): void {
    const { skip, file, details } = data
    const isSkipped = skip !== undefined && skip !== false
    // A suite counts by its tests, except when it was skipped whole: then it has none.
    if (details?.type === 'suite' && !isSkipped) return
    const suite = suiteName(file!)
    const key = `${suite} ${adapter}`
    const row = this.#rows.get(key) ?? coverage(suite, adapter)
    this.#rows.set(key, row)
    if (isSkipped) row.skipped.push(typeof skip === 'string' && skip !== '' ? skip : 'no reason given')
    else row[type === 'test:pass' ? 'passed' : 'failed']++
  }
}

function coverage(suite: string, adapter: string): Coverage {
  return { suite, adapter, passed: 0, failed: 0, skipped: [] }
}

export function showCoverage({ passed, failed, skipped, adapter }: Coverage): string {
  if (adapter === '') return 'NOT RUN'
  const parts = [
    ...(passed > 0 ? [`${passed} run`] : []),
    ...(failed > 0 ? [`${failed} FAILED`] : []),
    ...(skipped.length > 0 ? [`${skipped.length} skipped: ${[...new Set(skipped)].join('; ')}`] : []),
  ]
  return parts.join(', ')
}
