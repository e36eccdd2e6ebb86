import type { Crawl } from '../../../../api/schemas/crawl.ts'
import { count } from '../../data/format.ts'

const states = [
  { name: 'done', style: 'fill-1' },
  { name: 'leased', style: 'fill-2' },
  { name: 'queued', style: 'fill-3' },
  { name: 'excluded', style: 'fill-5' },
  { name: 'dead', style: 'fill-bad' },
] as const

/** All URLs that the crawl knows, by state. */
export function StatesBar({ counts }: { counts: Crawl['counts'] }) {
  const words = states.map(({ name }) => `${count(counts[name])} ${name}`).join(', ')
  return (
    <section class="panel stack" aria-label="URLs by state">
      <div class="states" role="img" aria-label={words}>
        {states.map(({ name, style }) => (
          <i key={name} class={style} style={{ flexGrow: counts[name] }} />
        ))}
      </div>
      <ul class="legend">
        <li>
          <b>{count(counts.admitted)}</b> URLs known
        </li>
        {states.map(({ name, style }) => (
          <li key={name}>
            <span class={`swatch ${style}`} aria-hidden="true" />
            {name} <b>{count(counts[name])}</b>
          </li>
        ))}
      </ul>
    </section>
  )
}
