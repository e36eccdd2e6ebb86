import type { IndexPlan } from '../../../engines/opensearch/versioned-index.ts'

/** What parts words within ASCII, as in the embedded index; beyond ASCII `indexedText` leaves nothing but words. */
const SEPARATORS = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)).filter(
  (character) => !/[a-z0-9]/i.test(character),
)

/** Longer than a query may be, so that no word that can be asked for is cut. */
const MAX_WORD = 1024

const words = { type: 'text', analyzer: 'words' }

/** The words of pages, without their text, which the records hold. Only what a result shows is kept as it was. */
export const pagePlan: IndexPlan = {
  kind: 'pages',
  version: 1,
  settings: {
    refresh_interval: '5s',
    // A removal is remembered for so long, against an older visit that comes late.
    gc_deletes: '10m',
    analysis: {
      tokenizer: { words: { type: 'char_group', tokenize_on_chars: SEPARATORS, max_token_length: MAX_WORD } },
      analyzer: { words: { type: 'custom', tokenizer: 'words', filter: ['lowercase'] } },
    },
  },
  mappings: {
    dynamic: false,
    _routing: { required: true },
    _source: { includes: ['url', 'title'] },
    properties: {
      titleWords: words,
      descriptionWords: words,
      textWords: words,
      // Host name with its labels reversed and a dot behind each: a site with its subdomains is a prefix.
      site: { type: 'keyword', ignore_above: 512 },
      lang: { type: 'keyword', ignore_above: 64 },
      date: { type: 'long' },
      // Parts pages that are otherwise equal in rank, so that an answer can be read page by page.
      key: { type: 'long' },
    },
  },
  remedy: 'run `orbweaver reindex`, which builds it anew from the records',
}

/** A domain's pages lie on some of the shards and not on one alone, so that a large site does not fill one up. */
export function pagePlanFor(shards: number): IndexPlan {
  if (shards <= 2) return pagePlan
  return { ...pagePlan, settings: { ...pagePlan.settings, routing_partition_size: Math.ceil(Math.sqrt(shards)) } }
}
