import type { CrawlPulse } from '../../../api/schemas/overview.ts'
import { percent } from '../data/format.ts'
import { Bar } from './bar.tsx'

/** The part of the known URLs that is behind us. */
const progressOf = ({ admitted, done, excluded, dead }: CrawlPulse['counts']): number =>
  admitted === 0 ? 0 : (done + excluded + dead) / admitted

export function Progress({ counts }: { counts: CrawlPulse['counts'] }) {
  const share = progressOf(counts)
  return (
    <div class="meter">
      {percent(share)}
      <Bar share={share} warnAt={2} badAt={2} />
    </div>
  )
}
