/**
 * A host whose new pages are nearly all near-duplicates sinks: it is served behind all bands, seldom, until it shows
 * something new. So traps that no rule knows starve by themselves, while a good host that has a few copies does not notice.
 */
export interface Novelty {
  /** Pages seen lately; halved together with `copies` so that old times fade. */
  readonly pages: number
  readonly copies: number
}

export const unknownNovelty: Novelty = { pages: 0, copies: 0 }

const window = 64

export function afterPage(novelty: Novelty, isCopy: boolean): Novelty {
  const pages = novelty.pages + 1
  const copies = novelty.copies + (isCopy ? 1 : 0)
  return pages >= window ? { pages: pages / 2, copies: copies / 2 } : { pages, copies }
}

export function isSunk(novelty: Novelty): boolean {
  return novelty.pages >= 20 && novelty.copies / novelty.pages > 0.9
}
