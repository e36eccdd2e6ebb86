import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

interface PanelParts {
  readonly title: string
  readonly value: string
  readonly unit?: string
  /** How the value compares with its bound, in a word. */
  readonly verdict?: 'good' | 'bad' | undefined
  readonly target: string
  readonly children: ComponentChildren
}

export function Panel({ title, value, unit = '', verdict, target, children }: PanelParts) {
  const id = useId()
  return (
    <section class="panel" aria-labelledby={id}>
      <div class="panel-head">
        <h2 id={id}>{title}</h2>
        {verdict && <span class={`badge ${verdict}`}>{verdict === 'good' ? 'on target' : 'off target'}</span>}
      </div>
      <div class="value">
        {value} <small>{unit}</small>
      </div>
      <div class="target">{target}</div>
      {children}
    </section>
  )
}
