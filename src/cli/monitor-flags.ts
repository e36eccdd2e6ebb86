import type { Flags } from './command.ts'

/** For everything that runs for long. */
export const monitorFlags: Flags = {
  log: {
    type: 'string',
    value: 'FILE|-',
    help: 'append events as JSON lines; - is standard error',
    setting: 'monitor.log',
  },
  'log-level': {
    type: 'string',
    value: 'LEVEL',
    help: 'debug (every visit), info, warn or error (info)',
    setting: 'monitor.logLevel',
  },
}
