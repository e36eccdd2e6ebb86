import type { DeadReasons } from '../../../../api/schemas/dead-letter.ts'
import { count } from '../../data/format.ts'
import { show } from '../../data/route.ts'

interface ReasonsParts {
  readonly reasons: DeadReasons['reasons']
  readonly isComplete: boolean
  readonly chosen: string | undefined
}

/** Why URLs were given up, the most frequent reason first; choosing one shows only its letters. */
export function Reasons({ reasons, isComplete, chosen }: ReasonsParts) {
  if (reasons.length === 0) return null
  return (
    <section class="row" aria-label="Reasons">
      <button
        type="button"
        class={chosen === undefined ? 'primary' : ''}
        aria-pressed={chosen === undefined}
        onClick={() => show({ reason: undefined, offset: undefined })}
      >
        All reasons
      </button>
      {reasons.map((one) => (
        <button
          key={one.reason}
          type="button"
          class={chosen === one.reason ? 'primary' : ''}
          aria-pressed={chosen === one.reason}
          title={`${one.class}, such as ${one.example}`}
          onClick={() => show({ reason: one.reason, offset: undefined })}
        >
          {one.reason} <span>{count(one.count)}</span>
        </button>
      ))}
      {!isComplete && <span class="soft">Only the first hundred thousand were counted.</span>}
    </section>
  )
}
