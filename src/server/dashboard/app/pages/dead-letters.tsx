import { useState } from 'preact/hooks'
import type { DeadSelection } from '../../../api/schemas/dead-letter.ts'
import { act } from '../data/act.ts'
import { useAsk } from '../data/ask.ts'
import { useCrawl } from '../data/crawls.ts'
import { count } from '../data/format.ts'
import { place, show } from '../data/route.ts'
import { api, may } from '../data/session.ts'
import { useStore } from '../data/store.ts'
import { CrawlChoice, NoCrawl } from '../parts/crawl-choice.tsx'
import { Confirm } from '../parts/dialog.tsx'
import { Head } from '../parts/head.tsx'
import { Pager } from '../parts/pager.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { Answered, Empty } from '../parts/states.tsx'
import { LetterTable } from './dead-letters/letter-table.tsx'
import { Reasons } from './dead-letters/reasons.tsx'

const limit = 100

/** What was given up, by reason; to be tried again or dropped, one by one or all that fit. */
export function DeadLetters() {
  const crawl = useCrawl()
  return (
    <>
      <Head title="Dead letters">
        <CrawlChoice crawl={crawl} />
      </Head>
      {crawl === undefined ? <NoCrawl /> : <Letters key={crawl} crawl={crawl} />}
    </>
  )
}

interface Filter {
  readonly reason?: string
  readonly host?: string
  readonly pattern?: string
}

function filterIn(query: URLSearchParams): Filter {
  return Object.fromEntries(
    ['reason', 'host', 'pattern'].flatMap((name) => (query.get(name) ? [[name, query.get(name)!]] : [])),
  )
}

function Letters({ crawl }: { crawl: string }) {
  const { query } = useStore(place)
  const filter = filterIn(query)
  const offset = Number(query.get('offset') ?? 0)
  const [chosen, choose] = useState<ReadonlySet<string>>(new Set())
  const params = { crawl }
  const reasons = useAsk(`reasons ${crawl}`, (signal) => api().listDeadReasons({ params }, signal), 5000)
  const asked = useAsk(
    `letters ${JSON.stringify([crawl, filter, offset])}`,
    (signal) => api().listDeadLetters({ params, query: { ...filter, limit, offset } }, signal),
    5000,
  )
  const changed = () => {
    choose(new Set())
    reasons.again()
    asked.again()
  }
  return (
    <>
      <Answered asked={reasons}>
        {({ reasons: list, complete }) => <Reasons reasons={list} isComplete={complete} chosen={filter.reason} />}
      </Answered>
      <SearchField
        label="Only URLs like this; * is any text"
        verb="Filter"
        value={filter.pattern ?? ''}
        submit={(pattern) => show({ pattern, offset: undefined })}
      />
      {filter.host !== undefined && (
        <div class="row">
          Only of {filter.host}
          <button type="button" class="plain" onClick={() => show({ host: undefined, offset: undefined })}>
            Show all hosts
          </button>
        </div>
      )}
      <Answered asked={asked}>
        {({ letters, more, total }) =>
          letters.length === 0 ? (
            <Empty>{total === 0 ? 'Nothing was given up.' : 'No dead letter fits.'}</Empty>
          ) : (
            <>
              {may('operator') && <Handling {...{ crawl, filter, chosen, changed, total }} />}
              <LetterTable {...{ crawl, letters, chosen, choose }} />
              <Pager {...{ offset, limit, more }} shown={letters.length} />
            </>
          )
        }
      </Answered>
    </>
  )
}

interface HandlingParts {
  readonly crawl: string
  readonly filter: Filter
  readonly chosen: ReadonlySet<string>
  readonly total: number
  readonly changed: () => void
}

/** Retry and drop: of those that were ticked, or else of all that fit. */
function Handling({ crawl, filter, chosen, total, changed }: HandlingParts) {
  const [isDropping, setDropping] = useState(false)
  const isFiltered = Object.keys(filter).length > 0
  const body: DeadSelection = chosen.size > 0 ? { urls: [...chosen] } : isFiltered ? filter : { all: true }
  const which = chosen.size > 0 ? `${count(chosen.size)} chosen` : isFiltered ? 'all that fit' : `all ${count(total)}`
  const params = { crawl }
  const handle = async (action: () => Promise<{ changed: number }>, done: string) => {
    const told = (answer: unknown) => {
      const { changed: sum } = answer as { changed: number }
      return sum === 1 ? `A dead letter is ${done}.` : `${count(sum)} dead letters are ${done}.`
    }
    if (await act(action, told)) changed()
  }
  return (
    <div class="row">
      <button type="button" onClick={() => handle(() => api().retryDeadLetters({ params, body }), 'queued again')}>
        Retry {which}
      </button>
      <button type="button" class="danger" onClick={() => setDropping(true)}>
        Drop {which}
      </button>
      {isDropping && (
        <Confirm
          title={`Drop ${which}?`}
          text="They are excluded for good and are not visited again."
          verb="Drop"
          close={() => setDropping(false)}
          confirmed={() => handle(() => api().dropDeadLetters({ params, body }), 'dropped')}
        />
      )}
    </div>
  )
}
