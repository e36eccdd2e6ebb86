import type { FetchedPage } from '../../stream.ts'

export function encodePage(page: FetchedPage): string {
  return JSON.stringify(page)
}

/** `undefined`: not one of ours, such as a letter that somebody put on the topic by hand. */
export function decodePage(text: string): FetchedPage | undefined {
  try {
    const page: unknown = JSON.parse(text)
    return isPage(page) ? page : undefined
  } catch {
    return undefined
  }
}

/** What a parser touches first: enough to tell our letters from others. */
function isPage(value: unknown): value is FetchedPage {
  if (typeof value !== 'object' || value === null) return false
  const { request, exchange, place, host, crawl, payloadHash } = value as Partial<FetchedPage>
  return (
    [crawl, host, payloadHash, request?.url, exchange?.url, place?.file].every((field) => typeof field === 'string') &&
    Array.isArray(exchange?.headers)
  )
}
