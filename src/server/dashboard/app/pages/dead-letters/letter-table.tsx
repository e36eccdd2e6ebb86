import type { DeadLetter } from '../../../../api/schemas/dead-letter.ts'
import { CrawledUrl } from '../../parts/crawled-url.tsx'

interface LetterTableParts {
  readonly crawl: string
  readonly letters: readonly DeadLetter[]
  readonly chosen: ReadonlySet<string>
  readonly choose: (urls: ReadonlySet<string>) => void
}

export function LetterTable({ crawl, letters, chosen, choose }: LetterTableParts) {
  const urls = letters.map(({ url }) => url)
  const areAll = urls.every((url) => chosen.has(url))
  const toggle = (url: string) =>
    choose(chosen.has(url) ? new Set([...chosen].filter((one) => one !== url)) : new Set([...chosen, url]))
  return (
    <div class="table-frame">
      <table class="cards">
        <thead>
          <tr>
            <th scope="col">
              <input
                type="checkbox"
                aria-label="Choose all on this page"
                checked={areAll}
                onChange={() => choose(new Set(areAll ? [] : urls))}
              />
            </th>
            <th scope="col">URL</th>
            <th scope="col">Reason</th>
            <th scope="col">Kind</th>
            <th scope="col" class="number">
              Retries
            </th>
            <th scope="col">Found on</th>
          </tr>
        </thead>
        <tbody>
          {letters.map(({ url, reason, class: kind, attempts, parent }) => (
            <tr key={url}>
              <td class="tick">
                <input
                  type="checkbox"
                  aria-label={`Choose ${url}`}
                  checked={chosen.has(url)}
                  onChange={() => toggle(url)}
                />
              </td>
              <th scope="row">
                <CrawledUrl crawl={crawl} url={url} />
              </th>
              <td data-label="Reason">{reason}</td>
              <td data-label="Kind">{kind}</td>
              <td data-label="Retries" class="number">
                {attempts}
              </td>
              <td data-label="Found on" class={parent === null ? 'none' : 'wide'}>
                {parent !== null && <CrawledUrl crawl={crawl} url={parent} />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
