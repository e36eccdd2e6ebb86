import assert from 'node:assert/strict'
import type { CanonicalUrl, HostKey } from '../url/keys.ts'
import type { Admission, Band, Candidate, Frontier, HostLease, HostReport } from './frontier.ts'

/** A frontier under test. Its pace is a gap of 1,000 ms with burst 1 for every host. */
export interface FrontierUnderTest extends AsyncDisposable {
  readonly frontier: Frontier
  /** Lets this much time pass for the frontier. */
  advance(ms: number): void
  /** Closes it in order and opens it again. */
  reopen(): Promise<void>
  /** Resolves when offers that are carried have been admitted. Left out: none are. */
  arrive?(): Promise<void>
  /** Loses all that was not synced, as a killed process does, and opens it again. */
  crash(): Promise<void>
}

/** Tests one promise of the port; `pause` is where a frontier may be closed and opened again. */
export type Promised = (
  title: string,
  body: (under: FrontierUnderTest, pause: () => Promise<void>) => Promise<void>,
) => void

/** Where adapters may differ. */
export interface FrontierTraits {
  /** Parts that share out the bands each on its own: over several of them shares are rounded several times. */
  readonly parts?: number
  /** Why the engine is not to be had. */
  readonly skip?: string | undefined
  /** What a crash does to it; null: it is crashed elsewhere. */
  readonly crash?: {
    readonly open?: () => Promise<FrontierUnderTest>
    /** Whether what was not synced is lost. */
    readonly forgets: boolean
    /** How long no host is leased. */
    readonly restMs: number
  } | null
}

export const gapMs = 1000

export function candidate(url: string, band: Band = 'medium', extra: Partial<Candidate> = {}): Candidate {
  const host = new URL(url).host as HostKey
  return { url: url as CanonicalUrl, host, band, depth: 0, parent: null, redirects: 0, ...extra }
}

export function pages(host: string, count: number, band: Band = 'medium'): Candidate[] {
  return Array.from({ length: count }, (_, n) => candidate(`http://${host}/${band}/${n}`, band))
}

export function touched(lease: HostLease, extra: Partial<HostReport> = {}): HostReport {
  return { touchedMsAgo: 0, pace: lease.pace, ...extra }
}

export async function offer(under: FrontierUnderTest, candidates: readonly Candidate[]): Promise<readonly Admission[]> {
  const answers = await under.frontier.offer(candidates)
  await under.arrive?.()
  return answers
}

/** Where offers are carried, what becomes of them is decided later, and so may be answered. */
export function assertAnswers(
  under: FrontierUnderTest,
  answers: readonly Admission[],
  expected: readonly Admission[],
): void {
  const mayCarry = under.arrive !== undefined
  assert.deepEqual(
    answers,
    expected.map((answer, index) => (mayCarry && answers[index] === 'carried' ? 'carried' : answer)),
  )
}

export const urlsOf = (leases: readonly HostLease[]) => leases.flatMap(({ requests }) => requests.map(({ url }) => url))

export async function finish(frontier: Frontier, lease: HostLease): Promise<void> {
  await frontier.settle(
    lease,
    lease.requests.map(({ url }) => ({ url, kind: 'done' })),
  )
  await frontier.release(lease, touched(lease))
}
