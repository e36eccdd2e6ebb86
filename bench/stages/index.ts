import { embeddedIndex } from '../../src/index/adapters/embedded/embedded-index.ts'
import { loadFingerprint } from '../../src/url/keys.ts'
import type { Stage, Way } from './measure.ts'
import { optional } from './optional.ts'
import { renamed } from './samples.ts'
import { openScratch } from './scratch.ts'

const fingerprint = await loadFingerprint()

const ours: Way = {
  name: 'ours',
  open() {
    const { database, close } = openScratch()
    const index = embeddedIndex(database, fingerprint, async () => undefined)
    return {
      page: (sample, serial) => index.put(renamed(sample, serial).document),
      flush: () => database.commit(),
      close,
    }
  },
}

const fts5 = (name: string, options: string): Way => ({
  name,
  open() {
    const { database, close } = openScratch()
    database.define(`CREATE VIRTUAL TABLE page USING fts5 (title, description, text, ${options})`)
    const insert = database.prepare('INSERT INTO page (rowid, title, description, text) VALUES (?, ?, ?, ?)')
    return {
      page({ document: { title, description, text } }, serial) {
        database.write()
        insert.run(serial + 1, title, description, text)
      },
      flush: () => database.commit(),
      close,
    }
  },
})

interface MiniSearchModule {
  readonly default: new (options: { fields: string[] }) => { add(document: object): void }
}

const miniSearch = ({ default: MiniSearch }: MiniSearchModule): Way => ({
  name: 'MiniSearch, in memory',
  open() {
    const index = new MiniSearch({ fields: ['title', 'description', 'text'] })
    return {
      page: ({ document: { title, description, text } }, id) => index.add({ id, title, description, text }),
    }
  },
})

export const index: Stage = {
  name: 'index',
  async ways() {
    const module = await optional<MiniSearchModule>('minisearch')
    return [
      ours,
      fts5('FTS5 contentless, words of ASCII', "content = '', contentless_delete = 1, tokenize = ascii"),
      fts5('FTS5 with content', "tokenize = 'unicode61 remove_diacritics 2'"),
      fts5('FTS5 contentless', "content = '', tokenize = 'unicode61 remove_diacritics 2'"),
      fts5('FTS5 contentless, no positions', "content = '', detail = none, tokenize = 'unicode61 remove_diacritics 2'"),
      ...(module ? [miniSearch(module)] : []),
    ]
  },
}
