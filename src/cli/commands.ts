import type { Command } from './command.ts'
import { bench } from './commands/bench.ts'
import { crawl } from './commands/crawl.ts'
import { dead } from './commands/dead.ts'
import { demo } from './commands/demo.ts'
import { doctor } from './commands/doctor.ts'
import { exportCommand } from './commands/export.ts'
import { hosts } from './commands/hosts.ts'
import { inspect } from './commands/inspect.ts'
import { normalize } from './commands/normalize.ts'
import { resume } from './commands/resume.ts'
import { robots } from './commands/robots.ts'
import { search } from './commands/search.ts'
import { show } from './commands/show.ts'
import { status } from './commands/status.ts'
import { why } from './commands/why.ts'

/** In the order of help: crawl, look, take away, check. */
export const commands: readonly Command[] = [
  ...[crawl, resume, status, why, hosts, search, show, exportCommand, dead],
  ...[inspect, robots, normalize, demo, doctor, bench],
]
