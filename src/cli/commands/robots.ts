import { readFileSync } from 'node:fs'
import { UsageError } from '../../config/usage-error.ts'
import { parseRobots, ROBOTS_TOKEN, verdict } from '../../politeness/robots.ts'
import type { Command } from '../command.ts'
import { green, red, table } from '../terminal.ts'

export const robots: Command = {
  name: 'robots',
  usage: '--file FILE [--agent NAME] URL…',
  takesWords: Number.POSITIVE_INFINITY,
  summary: 'what a robots.txt says about URLs, and by which rule',
  isLocal: true,
  details: 'With --json: {"url","allowed","rule","line"} a line.',
  flags: {
    file: { type: 'string', value: 'FILE', help: 'the robots.txt (- for standard input)' },
    agent: { type: 'string', value: 'NAME', help: `for this crawler (${ROBOTS_TOKEN})` },
  },
  async run({ args, given, json, terminal }) {
    const file = given.file as string | undefined
    if (file === undefined || args.length === 0) throw new UsageError('Usage: orbweaver robots --file robots.txt URL…')
    const rules = parseRobots(read(file))
    const answers = args.map((url) => ({ url, ...verdict(rules, String(given.agent ?? ROBOTS_TOKEN), url) }))
    if (json)
      for (const { url, allowed, rule, line } of answers) terminal.print(JSON.stringify({ url, allowed, rule, line }))
    else
      for (const line of table(
        answers.map(({ url, allowed, rule, line }) => [
          allowed ? green('allowed') : red('disallowed'),
          url,
          rule === null ? 'no rule applies' : `line ${line}: ${rule}`,
        ]),
      ))
        terminal.print(line)
    return 0
  },
}

function read(file: string): Buffer {
  try {
    return readFileSync(file === '-' ? 0 : file)
  } catch (cause) {
    throw new UsageError(`${file} cannot be read: ${(cause as Error).message}.`, { cause })
  }
}
