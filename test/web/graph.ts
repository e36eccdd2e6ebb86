import { random } from './random.ts'

/** A link as it stands in the HTML of a page. */
export interface Href {
  readonly href: string
  readonly text?: string
  readonly rel?: string
}

export interface GraphOptions {
  /** What the paths and links depend on; hosts with equal keys have equal graphs. */
  readonly keys: readonly (string | number)[]
  readonly pages: number
  /** Links to pages anywhere on the host, on each page. */
  readonly crossLinks: number
  /** Now and then a link is written in another form of the same URL: with a fragment, utm_source, dot segments… */
  readonly aliases: boolean
}

/**
 * Which pages a host has and how they link. Everything is computed from the page's number, nothing is kept: a host of a
 * million pages costs no more memory than one of ten. Page 0 is `/`; page i links to its children 8i+1 … 8i+8, so every
 * page can be reached from `/`.
 */
export interface Graph {
  readonly pages: number
  path(page: number): string
  /** `undefined`: this graph has no such page. */
  pageAt(path: string): number | undefined
  links(page: number): Href[]
}

const childrenOfEach = 8

const sections = 'about articles guides stories people places notes archive questions events'.split(' ')
const slugs = 'amber birch cedar delta ember fjord grove heron iris juniper kestrel larch maple nectar opal plum'.split(
  ' ',
)

export function graph(options: GraphOptions): Graph {
  const { keys, pages, crossLinks, aliases } = options

  function path(page: number): string {
    if (page === 0) return '/'
    const chance = random('path', ...keys, page)
    const section = chance.pick(sections)
    return page % 9 === 4 ? `/${section}/list?id=${page}&view=full` : `/${section}/${chance.pick(slugs)}-${page}`
  }

  function pageAt(target: string): number | undefined {
    if (target === '/') return 0
    const digits = /(?:-|[?]id=)(\d{1,9})(?:&view=full)?$/.exec(target)?.[1]
    const page = Number(digits)
    return digits !== undefined && page < pages && path(page) === target ? page : undefined
  }

  function links(page: number): Href[] {
    const chance = random('links', ...keys, page)
    const numbers = new Set([0, ...Array.from({ length: 5 }, (_, i) => i + 1)])
    if (page > 0) numbers.add(Math.floor((page - 1) / childrenOfEach))
    for (let child = 1; child <= childrenOfEach; child++) numbers.add(page * childrenOfEach + child)
    for (let i = 0; i < crossLinks; i++) numbers.add(chance.below(pages))
    return [...numbers]
      .filter((number) => number < pages)
      .map((number) => {
        const plain = path(number)
        return { href: aliases && chance.chance(0.08) ? aliasOf(plain, chance.below(6)) : plain }
      })
  }

  return { pages, path, pageAt, links }
}

/** Another way to write the same URL. */
export function aliasOf(path: string, way: number): string {
  const joint = path.includes('?') ? '&' : '?'
  switch (way) {
    case 0:
      return `${path}#part-2`
    case 1:
      return `${path}${joint}utm_source=newsletter&utm_medium=mail`
    case 2:
      return `/nowhere/..${path}`
    case 3:
      return `/.${path}`
    case 4:
      return path.replace('?id=', '?view=full&id=').replace(/&view=full$/, '')
    default:
      return ` ${path}\n`
  }
}
