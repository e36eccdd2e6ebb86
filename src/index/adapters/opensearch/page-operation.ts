import { hash } from 'node:crypto'
import { type Operation, operation } from '../../../engines/opensearch/operation.ts'
import type { PageText } from '../../../parse/page-text.ts'
import { type CanonicalUrl, hostnameOf, registrableDomain } from '../../../url/keys.ts'
import type { SearchDocument } from '../../search-index.ts'
import { siteKey } from '../../site-key.ts'
import { indexedText } from '../../words.ts'

/**
 * `version` is the moment of the visit: the engine refuses what is not newer than it has, so that neither a write that is
 * repeated nor one that comes late changes anything.
 */
export function putOperation(document: SearchDocument<PageText>, version: number): Operation {
  const { url, host, title, description, text, lang, date } = document
  const id = pageId(url)
  return operation(
    url,
    'done',
    { index: placeOf(url, id, version) },
    {
      ...{ url, title: title.toWellFormed(), date, site: siteKey(host), lang: lang.toLowerCase().split('-', 1)[0] },
      key: Buffer.from(id.slice(0, 8), 'base64url').readUIntBE(0, 6),
      titleWords: indexedText(title),
      descriptionWords: indexedText(description),
      textWords: indexedText(text.toString()),
    },
  )
}

export function removeOperation(url: CanonicalUrl, version: number): Operation {
  return operation(url, 'done', { delete: placeOf(url, pageId(url), version) })
}

/** What decides on which shards a page lies: sites are asked for by their domain. */
export function routingOf(hostname: string): string {
  return registrableDomain(hostname) ?? hostname
}

function placeOf(url: CanonicalUrl, id: string, version: number) {
  return { _id: id, routing: routingOf(hostnameOf(url)), version, version_type: 'external' }
}

const pageId = (url: CanonicalUrl) => hash('sha256', url, 'base64url').slice(0, 22)
