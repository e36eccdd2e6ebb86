import { Head } from '../parts/head.tsx'
import { Empty } from '../parts/states.tsx'

export function NotFound() {
  return (
    <>
      <Head title="No such page" />
      <Empty>
        <a href="/">Overview</a>
      </Empty>
    </>
  )
}
