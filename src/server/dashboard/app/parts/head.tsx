import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'

/** The top of a page: its name, which is also the tab's, and what can be done. */
export function Head({ title, children }: { title: string; children?: ComponentChildren }) {
  useEffect(() => {
    document.title = title === 'Orbweaver' ? title : `${title} · Orbweaver`
  }, [title])
  return (
    <div class="head">
      <h1>{title}</h1>
      {children}
    </div>
  )
}
