import { notice } from '../data/act.ts'
import { useStore } from '../data/store.ts'

/** What became of the last action, read aloud as well. */
export function LastNotice() {
  const told = useStore(notice)
  return (
    <div aria-live="polite">
      {told && (
        <div class={`notice toast ${told.tone}`}>
          <span>{told.text}</span>
          <button type="button" class="plain" onClick={() => notice.set(null)}>
            Close
          </button>
        </div>
      )}
    </div>
  )
}
