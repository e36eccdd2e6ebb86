import { arch, availableParallelism, cpus, platform, release, totalmem } from 'node:os'
import { version } from '../version.ts'

/** What a figure depends on and does not show. */
export interface Machine {
  readonly cpu: string
  readonly cores: number
  readonly memoryBytes: number
  readonly os: string
  readonly node: string
  readonly orbweaver: string
  /** Crawler and site each had cores of their own. */
  readonly isPinned: boolean
}

export function thisMachine(isPinned: boolean): Machine {
  return {
    cpu: cpus()[0]?.model.trim() || 'unknown',
    cores: availableParallelism(),
    memoryBytes: totalmem(),
    os: `${platform()} ${release()} ${arch()}`,
    node: process.version,
    orbweaver: version,
    isPinned,
  }
}

export function describeMachine({ cpu, cores, memoryBytes, os, node, orbweaver, isPinned }: Machine): string {
  const memory = `${(memoryBytes / 2 ** 30).toFixed(1)} GiB`
  const places = isPinned ? 'the crawler on one core, the site on the others' : 'cores shared with the site'
  return `${cpu}, ${cores} cores (${places}), ${memory}, ${os}, Node ${node.replace('v', '')}, Orbweaver ${orbweaver}`
}
