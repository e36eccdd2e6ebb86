import { live } from '../data/live.ts'
import { useStore } from '../data/store.ts'
import { Head } from './head.tsx'
import { Empty, Loading } from './states.tsx'

/** As long as the server has told nothing. */
export function Waiting() {
  const { state } = useStore(live)
  return (
    <>
      <Head title="Orbweaver" />
      {state === 'offline' ? <Empty>The server does not answer. It is asked again until it does.</Empty> : <Loading />}
    </>
  )
}
