import { type CpuProfile, type Frame, stacksOf } from '../../src/bench/cpu-profile.ts'

/** What a worker does: `pages` is the work itself, the others are what it costs not to be alone. */
export const parts = ['frontier', 'questions', 'membership', 'client', 'pages'] as const
export type Part = (typeof parts)[number]

/** The innermost frame that fits a rule names the part: what a library does counts for who called it. */
const rules: readonly (readonly [RegExp, Part])[] = [
  // Where pages are kept: whoever asks there.
  [/\/src\/(store|index|engines\/(opensearch|s3))\//, 'pages'],
  [/\/src\/(frontier\/adapters\/(redis|kafka)|stream)\//, 'frontier'],
  // Is there a page like it? What does robots.txt say? What has an operator decided?
  [/\/src\/((dedup|politeness|dns)\/adapters\/redis|fleet\/(shared\/|content-claims|widened-hosts))/, 'questions'],
  [/\/src\/fleet\/registry\//, 'membership'],
  // What carries all of that, and reads the answers on its own.
  [/\/src\/engines\/(redis|kafka)\//, 'client'],
  [/\/node_modules\/(@?ioredis|@platformatic\/kafka|redis-parser|standard-as-callback|cluster-key-slot)\//, 'client'],
]

/** Not JavaScript: nobody called it. What was spent there is shared out by what is known. */
const NOBODY = new Set(['(idle)', '(program)'])

export function partOf(frames: readonly Frame[]): Part {
  let client: Part = 'pages'
  for (const { url } of frames) {
    const part = rules.find(([pattern]) => pattern.test(url))?.[1]
    if (part && part !== 'client') return part
    client = part ?? client
  }
  return client
}

/** Time of each part in ms, from a moment of the system's monotonic clock on. */
export function msByPart(profiles: readonly CpuProfile[], sinceUs: number): Record<Part, number> {
  const ms = { frontier: 0, questions: 0, membership: 0, client: 0, pages: 0 }
  for (const { frames, us } of profiles.flatMap((profile) => stacksOf(profile, sinceUs)))
    if (!NOBODY.has(frames[0]?.functionName ?? '')) ms[partOf(frames)] += us / 1000
  return ms
}
