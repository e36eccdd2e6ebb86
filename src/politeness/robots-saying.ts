import { parseRobots, ROBOTS_TOKEN, verdict } from './robots.ts'
import type { RobotsEntry } from './robots-store.ts'

/** What an origin's robots.txt, as it is kept, says about a URL: the verdict, the rule that decides, and its line. */
export function robotsSaying(entry: RobotsEntry, url: string): string {
  switch (entry.kind) {
    case 'rules': {
      const { allowed, rule, line } = verdict(parseRobots(entry.text), ROBOTS_TOKEN, url)
      if (rule === null) return 'allowed: no rule speaks of it'
      return `${allowed ? 'allowed' : 'disallowed'}: ${rule} (line ${line})`
    }
    case 'none':
      return `allowed: there is no robots.txt (status ${entry.status})`
    case 'unavailable':
      return `not known: ${entry.detail}`
    default:
      return entry satisfies never
  }
}
