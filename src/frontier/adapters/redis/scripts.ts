import { type Script, scriptForMany, scriptOf } from '../../../engines/redis/script.ts'

const file = (name: string) => new URL(`./scripts/${name}.lua`, import.meta.url)
const common = [file('shard'), file('records'), file('queues')]

/** As shard.lua takes it: what is done to one shard is committed together, unless two calls are for one host. */
const forEach = 'forEach(call, commitHosts, function() return read[ARGV[2]] ~= nil end)'

/** The steps of the frontier: each is atomic, and each may be repeated. */
export interface FrontierScripts {
  readonly offer: Script
  readonly known: Script
  readonly seen: Script
  readonly due: Script
  readonly lease: Script
  readonly renew: Script
  readonly settle: Script
  readonly abandon: Script
  readonly revisit: Script
  readonly add: Script
}

export function loadScripts(): FrontierScripts {
  return {
    offer: scriptForMany(8, forEach, ...common, file('offer')),
    known: scriptOf(file('shard'), file('known')),
    seen: scriptOf(file('shard'), file('seen')),
    due: scriptOf(file('due')),
    lease: scriptForMany(8, forEach, ...common, file('shares'), file('lease')),
    renew: scriptForMany(40, forEach, ...common, file('shares'), file('renew')),
    settle: scriptForMany(30, forEach, ...common, file('shares'), file('visits'), file('release'), file('settle')),
    abandon: scriptOf(...common, file('abandon')),
    revisit: scriptOf(...common, file('revisit')),
    add: scriptOf(file('shard'), file('add')),
  }
}

/** What a ledger asks and corrects. */
export interface LedgerScripts {
  readonly survey: Script
  readonly census: Script
  readonly hosts: Script
  readonly trace: Script
  readonly correct: Script
}

export function loadLedgerScripts(): LedgerScripts {
  return {
    survey: scriptOf(...common, file('rows'), file('survey')),
    census: scriptOf(file('shard'), file('records'), file('census')),
    hosts: scriptOf(...common, file('rows'), file('hosts')),
    trace: scriptOf(...common, file('trace')),
    correct: scriptOf(...common, file('correct')),
  }
}
