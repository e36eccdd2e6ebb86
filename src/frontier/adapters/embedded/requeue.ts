import type { Database } from '../../../embedded/database.ts'
import type { Facts } from '../../../store/facts.ts'
import type { CanonicalUrl } from '../../../url/keys.ts'
import { findUrl, stored } from './url-rows.ts'

/** Makes a URL that was done due again, as if it had never been visited. Before the frontier is opened. */
export function requeue(
  database: Database,
  facts: Facts,
  fingerprint: (url: string) => number,
  url: CanonicalUrl,
): void {
  const id = findUrl(database, facts, fingerprint, url)
  if (id === undefined) return
  database.write()
  const { changes } = database
    .prepare(`UPDATE url SET state = ${stored.queued}, attempts = 0 WHERE id = ? AND state = ${stored.done}`)
    .run(id)
  if (changes === 0) return
  database
    .prepare('UPDATE host SET done = done - 1, queued = queued + 1 WHERE id = (SELECT host FROM url WHERE id = ?)')
    .run(id)
}
