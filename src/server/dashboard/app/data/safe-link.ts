/** The address of a crawled page as a link's target: only http and https lead anywhere, whatever a page has called its links. */
export function safeHref(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  const { protocol, href } = new URL(url)
  return protocol === 'http:' || protocol === 'https:' ? href : undefined
}
