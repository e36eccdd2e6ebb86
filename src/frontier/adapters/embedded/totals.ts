import type { Database } from '../../../embedded/database.ts'

/** URLs of a crawl by state, and of those that are open (queued or leased) how many are in each band. */
export interface Totals {
  open: number
  done: number
  excluded: number
  dead: number
  readonly byBand: [high: number, medium: number, low: number]
}

/** As the hosts have them. Bands are counted by whoever reads the queued URLs. */
export function storedTotals(database: Database): Totals {
  const sum = (column: string, name: string) => `ifnull(sum(${column}), 0) AS ${name}`
  const columns = [sum('queued', 'open'), sum('done', 'done'), sum('excluded', 'excluded'), sum('dead', 'dead')]
  const row = database.prepare(`SELECT ${columns.join(', ')} FROM host`).get()
  return { ...(row as unknown as Record<'open' | 'done' | 'excluded' | 'dead', number>), byBand: [0, 0, 0] }
}
