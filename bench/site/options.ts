import { parseArgs } from 'node:util'

export interface SiteOptions {
  /** Of all hosts together. */
  readonly pages: number
  readonly hosts: number
  /** Folder of `*.html.gz`, or `none` for invented pages; else the corpus beside the project, if there is one. */
  readonly corpus: string | undefined
  readonly tls: boolean
  /** Else every answer closes its connection. */
  readonly keepAlive: boolean
  /** Each host answers after a time of its own between the two, short ones as frequent as long ones. */
  readonly latencyMs: { readonly min: number; readonly max: number } | undefined
}

export function readOptions(args: readonly string[]): SiteOptions & { readonly attached: boolean } {
  const { values } = parseArgs({
    args: [...args],
    allowNegative: true,
    options: {
      pages: { type: 'string', default: '1000' },
      hosts: { type: 'string', default: '1' },
      corpus: { type: 'string' },
      tls: { type: 'boolean', default: false },
      'keep-alive': { type: 'boolean', default: true },
      'latency-ms': { type: 'string' },
      /** Stops when standard input ends, and so with the process that holds it. */
      attached: { type: 'boolean', default: false },
    },
  })
  return {
    pages: count('pages', values.pages),
    hosts: count('hosts', values.hosts),
    corpus: values.corpus,
    tls: values.tls,
    keepAlive: values['keep-alive'],
    latencyMs: values['latency-ms'] === undefined ? undefined : latency(values['latency-ms']),
    attached: values.attached,
  }
}

export function argumentsOf(options: Partial<SiteOptions>): string[] {
  const { pages, hosts, corpus, tls, keepAlive, latencyMs } = options
  return [
    ...(pages === undefined ? [] : [`--pages=${pages}`]),
    ...(hosts === undefined ? [] : [`--hosts=${hosts}`]),
    ...(corpus === undefined ? [] : [`--corpus=${corpus}`]),
    ...(tls ? ['--tls'] : []),
    ...(keepAlive === false ? ['--no-keep-alive'] : []),
    ...(latencyMs === undefined ? [] : [`--latency-ms=${latencyMs.min}-${latencyMs.max}`]),
  ]
}

function count(name: string, text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1) throw new RangeError(`--${name} takes a number above 0, not ${text}`)
  return value
}

function latency(text: string): { min: number; max: number } {
  const [, min, max] = /^(\d+)-(\d+)$/.exec(text) ?? []
  if (min === undefined || Number(min) > Number(max)) throw new RangeError(`--latency-ms takes MIN-MAX, not ${text}`)
  return { min: Number(min), max: Number(max) }
}
