import { useState } from 'preact/hooks'
import type { Crawl } from '../../../api/schemas/crawl.ts'
import type { ScopePreview } from '../../../api/schemas/scope-preview.ts'
import { act } from '../data/act.ts'
import { type CrawlDraft, draftAs, emptyDraft, linesOf } from '../data/crawl-draft.ts'
import { askCrawls } from '../data/crawls.ts'
import { go, hrefTo } from '../data/route.ts'
import { api, may } from '../data/session.ts'
import { inWords } from '../data/words.ts'
import { ChoiceField, LinesField, NumberField, TextField } from '../parts/fields.tsx'
import { Head } from '../parts/head.tsx'
import { Empty, Failed } from '../parts/states.tsx'
import { Preview } from './new-crawl/preview.tsx'

const scopes = [
  { value: 'host', name: 'the hosts of the seeds' },
  { value: 'domain', name: 'their whole domains' },
  { value: 'prefix', name: 'their folders' },
  { value: 'any', name: 'anywhere' },
]

/** Orders a crawl; shows before which links of a page it would take, and why not the others. */
export function NewCrawl() {
  const [draft, setDraft] = useState<CrawlDraft>(emptyDraft)
  const [preview, setPreview] = useState<ScopePreview | string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const edit = (name: keyof CrawlDraft) => (text: string) => setDraft({ ...draft, [name]: text })

  async function start(event: Event) {
    event.preventDefault()
    setBusy(true)
    const started = await act(
      async () => {
        const crawl = await api().createCrawl({ body: draftAs(draft) })
        await askCrawls()
        go(hrefTo('/crawls', { crawl: crawl.id }))
        return crawl
      },
      (crawl) => `${(crawl as Crawl).id} has begun.`,
    )
    if (!started) setBusy(false)
  }

  async function look() {
    setBusy(true)
    try {
      const { seeds, settings } = draftAs(draft)
      const page = draft.previewPage.trim() || seeds[0]!
      setPreview(await api().previewScope({ body: { page, seeds, settings } }))
    } catch (error) {
      setPreview(inWords(error))
    }
    setBusy(false)
  }

  if (!may('operator'))
    return (
      <>
        <Head title="New crawl" />
        <Empty>Only an operator may start a crawl.</Empty>
      </>
    )
  const hasSeeds = linesOf(draft.seeds).length > 0
  return (
    <>
      <Head title="New crawl" />
      <div class="columns">
        <form class="panel form" onSubmit={start}>
          <LinesField
            label="Seeds"
            hint="URLs to start from, one a line. example.com will do."
            value={draft.seeds}
            edit={edit('seeds')}
            isRequired
          />
          <div class="form-columns">
            <ChoiceField label="Stay on" value={draft.scope} edit={edit('scope')} options={scopes} />
            <TextField label="Name" hint="empty: made up" value={draft.id} edit={edit('id')} />
          </div>
          <div class="form-columns">
            <LinesField
              label="Only URLs like"
              hint="One pattern a line; * is any text, re: begins a regular expression."
              value={draft.include}
              edit={edit('include')}
            />
            <LinesField label="No URLs like" hint="One pattern a line." value={draft.exclude} edit={edit('exclude')} />
          </div>
          <div class="form-columns">
            <NumberField label="Pages at most" hint="0: no limit" value={draft.maxPages} edit={edit('maxPages')} />
            <NumberField
              label="Links from a seed"
              hint="empty: no limit"
              value={draft.maxDepth}
              edit={edit('maxDepth')}
            />
            <NumberField
              label="Delay, ms"
              hint="between requests to a host"
              value={draft.delayMs}
              edit={edit('delayMs')}
            />
          </div>
          <details>
            <summary>Other settings</summary>
            <LinesField
              label="Settings as JSON"
              hint="As in a configuration file; what is filled in above wins."
              value={draft.others}
              edit={edit('others')}
            />
          </details>
          <div class="row">
            <button type="submit" class="primary" disabled={isBusy || !hasSeeds}>
              Start crawl
            </button>
          </div>
        </form>
        <section class="panel stack" aria-label="Preview of the scope">
          <h2>Which links would be taken?</h2>
          <TextField
            label="Of this page"
            hint="empty: the first seed. It is fetched now, if its robots.txt allows."
            value={draft.previewPage}
            edit={edit('previewPage')}
          />
          <div class="row">
            <button type="button" disabled={isBusy || !hasSeeds} onClick={look}>
              Preview
            </button>
          </div>
          {typeof preview === 'string' ? <Failed problem={preview} /> : preview && <Preview preview={preview} />}
        </section>
      </div>
    </>
  )
}
