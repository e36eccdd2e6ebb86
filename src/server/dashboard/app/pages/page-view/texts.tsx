import { useAsk } from '../../data/ask.ts'
import { api } from '../../data/session.ts'
import { Answered, Empty } from '../../parts/states.tsx'

interface Of {
  readonly crawl: string
  readonly url: string
}

/** Longer texts would make the browser slow; the rest can be had from the API. */
const shownCharacters = 500_000

export function Text({ crawl, url }: Of) {
  const asked = useAsk(`text ${crawl} ${url}`, (signal) =>
    api().getPageText({ params: { crawl }, query: { url } }, signal),
  )
  return <Answered asked={asked}>{(text) => <Cut text={text} style="reading" />}</Answered>
}

export function Markdown({ crawl, url }: Of) {
  const asked = useAsk(`markdown ${crawl} ${url}`, (signal) =>
    api().getPageMarkdown({ params: { crawl }, query: { url } }, signal),
  )
  return <Answered asked={asked}>{(text) => <Cut text={text} style="source" />}</Answered>
}

export function Source({ crawl, url }: Of) {
  const asked = useAsk(`raw ${crawl} ${url}`, (signal) =>
    api().getPageRaw({ params: { crawl }, query: { url } }, signal),
  )
  return <Answered asked={asked}>{(text) => <Cut text={text} style="source" />}</Answered>
}

function Cut({ text, style }: { text: string; style: 'reading' | 'source' }) {
  if (text === '') return <Empty>It has no text.</Empty>
  const shown = text.slice(0, shownCharacters)
  return (
    <>
      {shown.length < text.length && <div class="notice">Only its beginning is shown.</div>}
      {style === 'reading' ? <div class="reading">{shown}</div> : <pre class="source">{shown}</pre>}
    </>
  )
}
