import type { Database } from '../../../embedded/database.ts'
import type { Facts } from '../../../store/facts.ts'
import type { CanonicalUrl } from '../../../url/keys.ts'
import { findUrl, stored } from './url-rows.ts'

/** Makes a URL that was done or given up due again, as if it had never been visited. Before the frontier is opened. */
export function requeue(
  database: Database,
  facts: Facts,
  fingerprint: (url: string) => number,
  url: CanonicalUrl,
): void {
  const id = findUrl(database, facts, fingerprint, url)
  if (id === undefined) return
  const row = database.prepare('SELECT host, state FROM url WHERE id = ?').get(id)
  const counter = row?.state === stored.done ? 'done' : row?.state === stored.dead ? 'dead' : undefined
  if (!counter) return
  database.write()
  database.prepare(`UPDATE url SET state = ${stored.queued}, attempts = 0, reason = NULL WHERE id = ?`).run(id)
  database
    .prepare(`UPDATE host SET ${counter} = ${counter} - 1, queued = queued + 1 WHERE id = ?`)
    .run(row!.host as number)
}
