import { useState } from 'preact/hooks'
import type { ScopePreview } from '../../../../api/schemas/scope-preview.ts'
import { count } from '../../data/format.ts'
import { Outside } from '../../parts/crawled-url.tsx'

/** The links of a page: those that would be taken, and the rule that refuses each of the others. */
export function Preview({ preview }: { preview: ScopePreview }) {
  const [shown, show] = useState<string | null>(null)
  const { page, status, title, taken, refused, links } = preview
  const rules = Object.entries(refused).sort(([, one], [, other]) => other - one)
  const kindOf = ({ taken: isTaken, reason }: ScopePreview['links'][number]) =>
    isTaken ? 'taken' : (reason ?? 'refused')
  const listed = links.filter((link) => shown === null || kindOf(link) === shown)
  const choice = (kind: string | null, text: string) => (
    <button
      type="button"
      aria-pressed={shown === kind}
      class={shown === kind ? 'primary' : ''}
      onClick={() => show(kind)}
    >
      {text}
    </button>
  )
  return (
    <div class="stack">
      <p>
        {title === '' ? page : title} {status !== null && <span class="soft">({status})</span>}
      </p>
      <div class="row">
        {choice(null, `All ${count(links.length)}`)}
        {choice('taken', `Taken ${count(taken)}`)}
        {rules.map(([rule, sum]) => choice(rule, `${rule} ${count(sum)}`))}
      </div>
      {links.length === 0 && <p class="soft">This page has no links.</p>}
      <ul class="links source">
        {listed.map((link, i) => (
          <li key={`${i} ${link.url}`}>
            <span class={link.taken ? 'good' : 'warn'}>{link.taken ? 'taken' : `not taken: ${link.reason}`}</span>{' '}
            <Outside url={link.url}>{link.url}</Outside>
            {link.detail !== null && <span class="soft"> {link.detail}</span>}
          </li>
        ))}
      </ul>
    </div>
  )
}
