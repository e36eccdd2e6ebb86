import { type Document, type DocumentOptions, document } from './document.ts'
import { type Graph, graph, type Href } from './graph.ts'
import type { Behaviour, HostIdentity, Route, World } from './host.ts'
import { type Language, languages } from './languages.ts'
import { prose, type Text } from './prose.ts'
import { random, uniqueWord } from './random.ts'
import { topics, topicText } from './topics/index.ts'

export interface SiteOptions {
  readonly routes?: readonly Route[]
  /** What graph, texts and markers depend on, beside the seed; the host's name unless given. */
  readonly key?: string
  /** Links to other hosts and odd forms of links; off where bytes must not depend on the host. */
  readonly plain?: boolean
  readonly pages?: number
  /** Last touch to a page of the graph. */
  readonly alter?: (page: number, options: DocumentOptions) => DocumentOptions
}

/** The ordinary site that characters build on: a graph of pages in one language, and routes linked from it. */
export function site(host: HostIdentity, world: World, options: SiteOptions = {}): Behaviour {
  const { routes = [], alter = (_, document) => document } = options
  const key = options.key ?? host.name
  const pages = graphOf(host, world, options)
  const onRoot = routes.filter((route) => (route.linked ?? 'root') === 'root').map(toHref)
  const everywhere = routes.filter((route) => route.linked === 'everywhere').map(toHref)
  const lang = languageOf(host, world, key)

  function documentOf(page: number): Document {
    const links = [...pages.links(page), ...(page === 0 ? onRoot : []), ...everywhere]
    if (!options.plain) links.push(...linksToOthers(host, world, page))
    return document(
      alter(page, {
        ...textOf(host, [world.seed, key], page, lang),
        lang,
        charset: 'utf-8',
        marker: uniqueWord('marker', world.seed, key, page),
        links,
        ballastBytes: host.spec.ballastBytes ?? 0,
        ...(options.key === undefined ? {} : { duplicateGroup: `${key} ${page}` }),
      }),
    )
  }

  return { graph: pages, documentOf, routes }
}

export function graphOf(host: HostIdentity, world: World, options: SiteOptions = {}): Graph {
  return graph({
    keys: [world.seed, options.key ?? host.name],
    pages: options.pages ?? host.spec.pages ?? 12,
    crossLinks: host.spec.crossLinks ?? 4,
    aliases: !options.plain,
  })
}

/** A page of its own beside the graph, with text that no other page has. */
export function loosePage(
  host: HostIdentity,
  world: World,
  path: string,
  more: Partial<DocumentOptions> = {},
): Document {
  const lang = (more.lang as Language | undefined) ?? languageOf(host, world, host.name)
  return document({
    ...prose([world.seed, host.name, path], lang, 4),
    lang,
    charset: 'utf-8',
    marker: uniqueWord('marker', world.seed, host.name, path),
    links: [{ href: '/' }],
    ...more,
  })
}

function languageOf(host: HostIdentity, world: World, key: string): Language {
  const { language, topic } = host.spec
  return (topic && topics[topic]?.language) || language || random('language', world.seed, key).pick(languages)
}

function textOf(host: HostIdentity, keys: readonly string[], page: number, lang: Language): Text {
  const { topic, paragraphs = 5 } = host.spec
  if (topic === undefined) return prose([...keys, page], lang, paragraphs)
  const known = topics[topic]
  if (!known) throw new RangeError(`no topic ${topic}; there are ${Object.keys(topics).join(', ')}`)
  return topicText(known, keys, page)
}

/** Every page names one other host; pages of polite hosts are linked deeply too. */
function linksToOthers(host: HostIdentity, world: World, page: number): Href[] {
  const chance = random('others', world.seed, host.name, page)
  const other = chance.pick(world.hosts)
  if (other === host) return []
  const target = other.spec.character === 'polite' ? graphOf(other, world) : undefined
  const path = target && chance.chance(0.5) ? target.path(chance.below(target.pages)) : '/'
  const origin = chance.chance(0.1) ? other.origin.toUpperCase() : other.origin
  return [{ href: origin + path, text: other.name.replace('.test', '') }]
}

function toHref(route: Route): Href {
  return { href: route.path }
}
