/**
 * To which stage of the page's path a moment of CPU time belongs: the innermost frame on the stack that lies in a
 * stage's folder decides. So what a library or Node itself does is counted for whoever called it, and nothing has to be
 * measured inside the crawl.
 */
import type { Frame, Stack } from './cpu-profile.ts'

export const stages = [
  'start-up',
  'network',
  'fetch',
  'inflate',
  'parse',
  'url',
  'dedup',
  'archive',
  'records',
  'index',
  'frontier',
  'politeness',
  'worker',
  'commit',
  'collection',
  'engine threads',
  'unattributed',
] as const

export type Stage = (typeof stages)[number]

/** What the names of the stages do not say. */
export const stageNotes: Readonly<Partial<Record<Stage, string>>> = {
  'start-up': 'loading the program',
  network: "sockets, TLS, HTTP client, the kernel's part",
  fetch: 'requests, limits, headers, DNS cache',
  parse: 'links, text, metadata, language, charset',
  url: 'canonical form, scope, traps, keys',
  dedup: 'SHA-256, SimHash, near-duplicates',
  politeness: 'robots.txt, pace',
  worker: 'sessions, candidates, threads',
  commit: 'transactions of the database',
  collection: 'garbage, on the threads of the crawl',
  'engine threads': 'garbage and compilation, beside them',
}

/** The first rule that fits a frame names its stage; a frame that fits none is judged by its caller. */
const rules: readonly (readonly [RegExp, Stage])[] = [
  [/\/src\/fetch\/http\/(decode-body|codings|salvage|deflate-frames|wasm\/[^/]*)\.[jt]s$/, 'inflate'],
  [/\/src\/(fetch|dns)\//, 'fetch'],
  [/\/src\/parse\//, 'parse'],
  [/\/src\/dedup\/bloom/, 'frontier'],
  [/\/src\/dedup\//, 'dedup'],
  [/\/src\/store\/(adapters\/embedded\/|record-store|url-record)/, 'records'],
  [/\/src\/store\//, 'archive'],
  [/\/src\/index\//, 'index'],
  [/\/src\/frontier\//, 'frontier'],
  [/\/src\/politeness\//, 'politeness'],
  [/\/src\/url\//, 'url'],
  [/\/src\/embedded\/(database|facts)\.[jt]s$/, 'commit'],
  [/\/src\/(worker|reading|library|cli)\/|\/src\/(app|summary|gate|clock)\.[jt]s$/, 'worker'],
  [/\/node_modules\/undici\//, 'network'],
  [
    /^node:(net|http2?|https|tls|_tls_\w+|dgram|dns|internal\/(net|dns|dgram|http2?|stream_base_commons|streams|tls)\b)/,
    'network',
  ],
]

/** `undefined`: the thread had nothing to do. */
export function stageOf(frames: readonly Frame[]): Stage | undefined {
  switch (frames[0]?.functionName) {
    case '(idle)':
      return undefined
    case '(garbage collector)':
      return 'collection'
    // Outside of JavaScript: at this place it is libuv, which reads and writes sockets before and after it calls us.
    case '(program)':
      return 'network'
  }
  if (frames.some(({ url }) => url.startsWith('node:internal/modules/') || url.startsWith('node:internal/bootstrap')))
    return 'start-up'
  for (const { url } of frames) {
    const rule = rules.find(([pattern]) => pattern.test(url))
    if (rule) return rule[1]
  }
  return 'unattributed'
}

/** µs for each stage, over the profiles of all threads. */
export function usByStage(stacks: Iterable<Stack>): Map<Stage, number> {
  const sums = new Map<Stage, number>()
  for (const { frames, us } of stacks) {
    const stage = stageOf(frames)
    if (stage) sums.set(stage, (sums.get(stage) ?? 0) + us)
  }
  return sums
}
