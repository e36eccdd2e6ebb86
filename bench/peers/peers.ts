import { join, resolve } from 'node:path'
import type { Recipe } from './build.ts'

/** A crawler, how it is made ready and called, and what its number stands for. */
export interface Peer {
  readonly name: string
  /** Its own folder beside this file, with programs and pinned versions; `undefined`: nothing to build. */
  readonly recipe: Recipe | undefined
  /** Programs that must be there. */
  readonly needs: readonly string[]
  readonly setting: string
  readonly does: string
  readonly doesNot: string
  /** Crawls the smaller site. */
  readonly isSlow: boolean
  /** `place`: where the recipe was built; `out`: an empty folder for what it writes. */
  command(seed: string, place: string, out: string): readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

const node = process.execPath
const orbweaver = resolve(import.meta.dirname, '../../dist/program/main.js')
const crawleeRecipe: Recipe = {
  folder: 'crawlee',
  steps: () => [['npm', 'ci', '--no-audit', '--no-fund']],
}

export const peers: readonly Peer[] = [
  {
    name: 'spider 2.53.9 (Rust)',
    recipe: {
      folder: 'spider',
      steps: (cache) => [['cargo', 'build', '--release', '--locked', '--target-dir', join(cache, 'spider-target')]],
    },
    needs: ['cargo'],
    setting:
      'its own concurrency (default), pages by subscription, all visited links in memory, mimalloc as its README advises',
    does: 'links, robots.txt',
    doesNot: 'keeps nothing; no text, no dedup of content, cannot resume',
    isSlow: false,
    command: (seed, place) => [join(place, '../spider-target/release/spiderbench'), seed],
    // From the 15,000th link on it would keep them in SQLite, where two tables race for an index of one name: if that of the
    // links comes second, each look-up reads the whole table, and 20,000 pages cost twice as much.
    env: { LINKS_VISITED_MEMORY_LIMIT: '1000000000' },
  },
  orbweaverPeer('Orbweaver, links only', 'links, robots.txt, durable frontier, records', 'no archive, text or index', {
    flags: ['--no-archive', '--no-index', '--no-text'],
  }),
  orbweaverPeer('Orbweaver, everything', everything(), '-', {}),
  orbweaverPeer('Orbweaver, everything, no WebAssembly', everything(), '-', { env: { ORBWEAVER_NO_WASM: '1' } }),
  {
    name: 'wget2 (C)',
    recipe: undefined,
    needs: ['wget2'],
    setting: '20 threads; 5 and 100 cost it about the same',
    does: 'links, robots.txt, writes bodies as files',
    doesNot: 'no headers kept, no text, no index, cannot resume a crawl',
    isSlow: false,
    command: (seed, _place, out) => [
      ...[
        'wget2',
        '--quiet',
        '--recursive',
        '--level=inf',
        '--max-threads=20',
        '--no-http2',
        `--directory-prefix=${out}`,
      ],
      ...[
        '--ignore-tags=img,link,script,iframe,source,video,audio,embed,object,form,input,body,td,th,table,meta',
        seed,
      ],
    ],
  },
  {
    name: 'Colly 2.3.0 (Go)',
    recipe: { folder: 'colly', steps: () => [['go', 'build', '-o', 'collybench', '.']] },
    needs: ['go'],
    setting: 'asynchronous, parallelism 100, as many idle connections',
    does: 'links (goquery), robots.txt',
    doesNot: 'keeps nothing; frontier in memory, cannot resume',
    isSlow: false,
    command: (seed, place) => [join(place, 'collybench'), seed],
  },
  {
    name: 'Crawlee 3.18.1 HttpCrawler',
    recipe: crawleeRecipe,
    needs: ['npm'],
    setting: '20 to 100 at once, queue in memory, no sessions',
    does: 'links by a regular expression of ours, robots.txt',
    doesNot: 'keeps nothing; no parser',
    isSlow: true,
    command: (seed, place) => [node, join(place, 'http.mjs'), seed],
  },
  {
    name: 'Crawlee 3.18.1 CheerioCrawler',
    recipe: crawleeRecipe,
    needs: ['npm'],
    setting: '20 to 100 at once, queue in memory, no sessions',
    does: 'DOM of each page, links, robots.txt',
    doesNot: 'keeps nothing',
    isSlow: true,
    command: (seed, place) => [node, join(place, 'cheerio.mjs'), seed],
  },
  {
    name: 'Scrapy 2.19.0 (Python)',
    recipe: {
      folder: 'scrapy',
      steps: () => [
        ['python3', '-m', 'venv', 'venv'],
        ['venv/bin/pip', 'install', '--quiet', '-r', 'requirements.txt'],
      ],
    },
    needs: ['python3'],
    setting: '100 at once, settings of its guide to broad crawls',
    does: 'links (lxml), robots.txt',
    doesNot: 'keeps nothing; frontier in memory',
    isSlow: true,
    command: (seed, place) => [join(place, 'venv/bin/python'), join(place, 'crawl.py'), seed],
  },
]

function everything(): string {
  return 'links, robots.txt, durable frontier, WARC archive, records, text, language, dedup, full-text index'
}

function orbweaverPeer(
  name: string,
  does: string,
  doesNot: string,
  { flags = [], env = {} }: { flags?: readonly string[]; env?: Readonly<Record<string, string>> },
): Peer {
  return {
    name,
    recipe: undefined,
    needs: [],
    setting: 'its own defaults, no delay; as npm installs it',
    does,
    doesNot,
    isSlow: false,
    command: (seed, _place, out) => [
      ...[node, orbweaver, 'crawl', seed, '--delay', '0', '--allow-private', '--json', '--out', join(out, 'crawl')],
      ...flags,
    ],
    env,
  }
}
