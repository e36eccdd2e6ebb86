import type { DeadFilter } from '../../ledger.ts'
import { stored } from './stored-state.ts'

/** A filter as a condition over `url u` joined with `host h`. */
export function deadWhere({ reason, host, pattern, urls }: DeadFilter): { where: string; parameters: string[] } {
  const terms = [`u.state = ${stored.dead}`]
  const parameters: string[] = []
  const add = (term: string, value: string) => {
    terms.push(term)
    parameters.push(value)
  }
  if (reason !== undefined) add('u.reason = ?', reason)
  if (host !== undefined) add('h.key = ?', host)
  // GLOB knows more than `*`: what else it would read as a pattern is taken literally.
  if (pattern !== undefined) add('u.url GLOB ?', pattern.replaceAll(/[?[]/g, '[$&]'))
  if (urls !== undefined) add('u.url IN (SELECT value FROM json_each(?))', JSON.stringify(urls))
  return { where: terms.join(' AND '), parameters }
}
