import type { IndexPlan } from '../../../engines/opensearch/versioned-index.ts'

/**
 * Two kinds of documents, both read by their id and so at once: what is known of a URL, and who has a content. Whatever is
 * not named here is kept and not indexed: the packed record, the visits.
 */
export const recordPlan: IndexPlan = {
  kind: 'records',
  version: 2,
  settings: { refresh_interval: '30s' },
  mappings: {
    dynamic: false,
    properties: {
      // When it was first stored, in an order that all workers share roughly and each keeps exactly.
      stored: { type: 'long' },
      // Parts those stored at the same moment.
      key: { type: 'long' },
      host: { type: 'keyword', ignore_above: 512 },
      kind: { type: 'keyword' },
      status: { type: 'integer' },
      lang: { type: 'keyword', ignore_above: 64 },
      // Of pages alone: what other pages may be copies of.
      contentHash: { type: 'keyword', ignore_above: 128 },
      fetchedAt: { type: 'date', format: 'epoch_millis' },
      // Of what is to be visited again.
      due: { properties: { at: { type: 'long' } } },
    },
  },
  remedy: 'use the version of Orbweaver that made it, or begin a new crawl',
}
