import { clockTime } from '../data/format.ts'
import { live } from '../data/live.ts'
import { useStore } from '../data/store.ts'

/** On every page: that what it shows may be old, and why. */
export function Away() {
  const { state, now } = useStore(live)
  if (now === null) return null
  if (state === 'offline')
    return <Notice text="The server does not answer. This is what it said last; it is asked again." />
  return now.fault === null ? null : <Notice text={`The figures are of ${clockTime(now.at)}. ${now.fault}`} />
}

function Notice({ text }: { text: string }) {
  return (
    <div class="notice warn" role="status">
      {text}
    </div>
  )
}
