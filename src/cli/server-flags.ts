import type { Flags } from './command.ts'

/** Where and to whom the dashboard and the API are served. */
export const serverFlags: Flags = {
  listen: {
    type: 'string',
    value: 'ADDRESS',
    help: 'where the dashboard and the API are served (127.0.0.1:7070)',
    setting: 'server.listen',
  },
  'token-file': {
    type: 'string',
    value: 'FILE',
    help: 'tokens of those who may look and act, one a line: ROLE NAME TOKEN',
    setting: 'server.tokenFile',
  },
}
