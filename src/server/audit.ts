import { appendFile } from 'node:fs/promises'
import type { AuditEntry } from './api/schemas/session.ts'

/** What was done by whom. */
export interface Audit {
  /** Resolves when it is written down: before the action is answered. */
  add(entry: AuditEntry): Promise<void>
  /** The latest first. */
  latest(limit: number): Promise<readonly AuditEntry[]>
}

const keptHere = 1000

/** Remembers the latest actions of this process; with a file, every action is a line there. */
export function localAudit(file: string | null): Audit {
  const entries: AuditEntry[] = []
  return {
    async add(entry) {
      entries.push(entry)
      if (entries.length > keptHere) entries.shift()
      if (file !== null) await appendFile(file, `${JSON.stringify(entry)}\n`, { mode: 0o600 })
    },
    latest: async (limit) => entries.slice(-limit).reverse(),
  }
}
