import type { Clock } from '../../clock.ts'
import { engineNews } from '../../monitor/events.ts'
import { faultOf, reasonOf, type S3Fault } from './fault.ts'

/** S3 cannot be used any longer. What was flushed before is safe. */
export class S3Error extends Error {
  readonly code: S3Fault

  constructor(code: S3Fault, message: string, cause: unknown) {
    super(message, { cause })
    this.name = 'S3Error'
    this.code = code
  }
}

export interface Patience {
  readonly clock: Clock
  readonly patienceMs: number
  /** For people: which S3 it is. */
  readonly place: string
}

const LONGEST_WAIT_MS = 5000

/** Repeats what failed because S3 is away or busy, until it succeeds or patience ends. Other faults come as they are. */
export async function patiently<T>(act: () => Promise<T>, { clock, patienceMs, place }: Patience): Promise<T> {
  let awaySince: number | undefined
  for (let waitMs = 1000; ; waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)) {
    try {
      const done = await act()
      if (awaySince !== undefined) engineNews.tell({ engine: 's3', isAway: false, reason: '' })
      return done
    } catch (error) {
      const fault = faultOf(error)
      if (fault !== 'away') throw isForCaller(fault) ? error : new S3Error(fault, sentence(fault, place, error), error)
      engineNews.tell({ engine: 's3', isAway: true, reason: reasonOf(error) })
      awaySince ??= clock.now()
      const awayMs = clock.now() - awaySince
      if (awayMs >= patienceMs) throw new S3Error(fault, awaySentence(place, awayMs, error), error)
      await clock.sleep(Math.min(waitMs, patienceMs - awayMs))
    }
  }
}

const isForCaller = (fault: S3Fault): boolean => fault === 'missing' || fault === 'beyond' || fault === 'contested'

function awaySentence(place: string, awayMs: number, error: unknown): string {
  const seconds = Math.round(awayMs / 1000)
  return `${place} has been away for ${seconds} s (${reasonOf(error)}); start again when it is back: all that was flushed is safe.`
}

/** One sentence for a fault that no repetition mends. */
export function sentence(fault: S3Fault, place: string, error: unknown): string {
  if (fault === 'denied')
    return `${place} refuses the access key (engines.s3.accessKeyId, .secretAccessKey) or what it may do (${reasonOf(error)}).`
  if (fault === 'no-bucket' || fault === 'missing')
    return `${place} does not exist: create the bucket or correct engines.s3.bucket.`
  if ((error as Error).name === 'CredentialsProviderError')
    return `${place} needs an access key: set engines.s3.accessKeyId and secretAccessKey, or give this machine a role.`
  return `${place} cannot be used: ${reasonOf(error)}.`
}
