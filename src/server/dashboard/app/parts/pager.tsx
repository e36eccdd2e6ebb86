import { count } from '../data/format.ts'
import { show } from '../data/route.ts'

/** Beyond this the server does not skip; a narrower search leads on. */
const maxOffset = 10_000

interface PagerParts {
  readonly offset: number
  readonly limit: number
  /** How many are on this page. */
  readonly shown: number
  /** On all pages, where that is known. */
  readonly total?: number
  readonly more: boolean
}

export function Pager({ offset, limit, shown, total, more }: PagerParts) {
  const range = shown === 0 ? 'None' : `${count(offset + 1)}–${count(offset + shown)}`
  const canGoOn = more && offset + limit <= maxOffset
  return (
    <nav class="pager" aria-label="Pages of the list">
      <span class="soft">
        {range}
        {total !== undefined && ` of ${count(total)}`}
        {more && !canGoOn && '; search to see others'}
      </span>
      <span class="row">
        <button
          type="button"
          disabled={offset === 0}
          onClick={() => show({ offset: Math.max(0, offset - limit) || undefined })}
        >
          Previous
        </button>
        <button type="button" disabled={!canGoOn} onClick={() => show({ offset: offset + limit })}>
          Next
        </button>
      </span>
    </nav>
  )
}
