import { vocabulary } from '../../test/web/languages.ts'
import { random } from '../../test/web/random.ts'

/**
 * Which pages there are and which of them link to which, without any HTML. Every host is a tree with the same paths, so
 * that a menu that leads somewhere on one host does so on all of them; each page adds links of its own.
 */
export interface Layout {
  readonly pages: number
  readonly hosts: number
  /** Pages that every host has: 0 to this. */
  readonly sharedPages: number
  pagesOf(host: number): number
  /** Number of a page among those of all hosts. */
  numberOf(host: number, page: number): number
  pathOf(page: number): string
  /** `undefined`: no host has such a page. */
  pageAt(host: number, path: string): number | undefined
  /** What this page alone links to: its children in the tree first, then pages of anywhere. */
  ownLinks(host: number, page: number): readonly number[]
  /** Where the links of a document lead: a menu that is everywhere the same, and links of the variant between. */
  menuLinks(variant: number, count: number): readonly number[]
}

const ownLinkCount = 12
const children = 8
const menuPages = 40

const words = vocabulary('en').words.filter((word) => word.length > 4)

export function layout(pages: number, hosts: number): Layout {
  if (pages < hosts) throw new RangeError(`${pages} pages are too few for ${hosts} hosts: each has at least one`)
  const sharedPages = Math.floor(pages / hosts)
  const richerHosts = pages % hosts
  const pagesOf = (host: number) => sharedPages + (host < richerHosts ? 1 : 0)
  return {
    pages,
    hosts,
    sharedPages,
    pagesOf,
    numberOf: (host, page) => host * sharedPages + Math.min(host, richerHosts) + page,
    pathOf,
    pageAt(host, path) {
      const page = path === '/' ? 0 : Number(/-(\d+)$/.exec(path)?.[1])
      return page < pagesOf(host) && pathOf(page) === path ? page : undefined
    },
    ownLinks(host, page) {
      const count = pagesOf(host)
      const chance = random('own links', host, page)
      return Array.from({ length: ownLinkCount }, (_, n) => {
        const child = page * children + 1 + n
        return n < children && child < count ? child : chance.below(count)
      })
    },
    menuLinks(variant, count) {
      const chance = random('menu', variant)
      return Array.from({ length: count }, (_, n) =>
        n % 5 < 3 ? n % Math.min(menuPages, sharedPages) : chance.below(sharedPages),
      )
    },
  }
}

function pathOf(page: number): string {
  if (page === 0) return '/'
  const at = (n: number) => words[n % words.length]!
  return `/${at(Math.floor(page / 7) % 31)}/${at(page)}-${at(Math.floor(page / words.length) + 17)}-${page}`
}
