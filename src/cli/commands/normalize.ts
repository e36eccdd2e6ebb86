import { createInterface } from 'node:readline'
import { loadConfig } from '../../config/load.ts'
import { canonicalRules, canonicalUrl } from '../../url/canonical.ts'
import type { Command } from '../command.ts'
import { sourcesOf } from '../crawl-settings.ts'
import { dim } from '../terminal.ts'

export const normalize: Command = {
  name: 'normalize',
  usage: '< URLS',
  takesWords: Number.POSITIVE_INFINITY,
  summary: 'the canonical form of URLs, read from standard input or given',
  isLocal: true,
  details: 'With --json: {"input","url","reason"} a line; url is null when there is none.',
  flags: {},
  async run(invocation) {
    const { args, json, terminal, stdin } = invocation
    const rules = canonicalRules(loadConfig(sourcesOf(invocation)).config.url)
    const inputs = args.length > 0 ? args : createInterface({ input: stdin })
    for await (const input of inputs) {
      const { url = null, refusal = null } = canonicalUrl(input, undefined, rules)
      if (json) terminal.print(JSON.stringify({ input, url, reason: refusal }))
      else terminal.print(url ?? dim(`${input}  (${refusal})`))
    }
    return 0
  },
}
