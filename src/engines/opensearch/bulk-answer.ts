import { reasonIn } from './faults.ts'
import type { Operation } from './operation.ts'

/** A write that can never succeed: what it was, and why, in the engine's words. */
export interface Refusal {
  readonly subject: string
  readonly reason: string
}

export interface BulkOutcome {
  readonly again: readonly Operation[]
  readonly refused: readonly Refusal[]
  /** What the engine said of the last that must be sent again, if anything. */
  readonly whyAgain: string | undefined
}

export interface BulkAnswer {
  readonly errors?: boolean
  readonly items?: readonly Readonly<Record<string, BulkItem>>[]
}

interface BulkItem {
  readonly status: number
  readonly error?: { readonly type?: string; readonly reason?: string }
}

/** What became of each operation of a bulk that was accepted as a whole. An item without an answer is sent again. */
export function outcomeOf(operations: readonly Operation[], answer: BulkAnswer | undefined): BulkOutcome {
  if (answer?.errors === false) return { again: [], refused: [], whyAgain: undefined }
  const again: Operation[] = []
  const refused: Refusal[] = []
  let whyAgain: string | undefined
  operations.forEach((operation, i) => {
    const item = Object.values(answer?.items?.[i] ?? {})[0]
    const fate = item === undefined ? 'again' : fateOf(item, operation)
    if (fate === 'again') {
      again.push(operation)
      whyAgain = reasonIn(item) ?? whyAgain
    } else if (fate === 'refused') refused.push(refusal(operation, item!))
  })
  return { again, refused, whyAgain }
}

function fateOf({ status, error }: BulkItem, { onConflict }: Operation): 'done' | 'again' | 'refused' {
  if (status < 300 || (status === 404 && error === undefined)) return 'done'
  if (status === 409) return onConflict
  return status === 429 || status >= 500 ? 'again' : 'refused'
}

function refusal({ subject }: Operation, item: BulkItem): Refusal {
  return { subject, reason: reasonIn(item) ?? `status ${item.status}` }
}
