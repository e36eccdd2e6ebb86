import { type Command, commonFlags, type Flags } from './command.ts'
import { bold, table } from './terminal.ts'

export function programHelp(commands: readonly Command[]): string {
  return [
    'Orbweaver crawls, archives and searches web sites, politely, and loses nothing when it is stopped.',
    '',
    bold('Usage'),
    '  orbweaver COMMAND [options]',
    '',
    bold('Commands'),
    ...table(commands.map(({ name, summary }) => [`  ${name}`, summary])),
    '',
    bold('Start here'),
    '  orbweaver demo                              a crawl of a small built-in web, no network needed',
    '  orbweaver crawl https://example.com         crawl one site into ./orbweaver-data',
    '  orbweaver search "some words"               search what was crawled',
    '',
    '`orbweaver COMMAND --help` shows the options of a command.',
  ].join('\n')
}

export function commandHelp(command: Command): string {
  const own = flagRows(command.flags)
  return [
    command.summary,
    '',
    bold('Usage'),
    `  orbweaver ${command.name} ${command.usage}`.trimEnd(),
    ...(own.length > 0 ? ['', bold('Options'), ...table(own)] : []),
    '',
    bold('Common options'),
    ...table(flagRows(commonFlags).filter(([name]) => !(command.isLocal && /--(server|token) /.test(name!)))),
    ...(command.details ? ['', command.details.trim()] : []),
  ].join('\n')
}

function flagRows(flags: Flags): string[][] {
  return Object.entries(flags).map(([name, { short, value, help }]) => [
    `  ${short ? `-${short}, ` : ''}--${name}${value ? ` ${value}` : ''}`,
    help,
  ])
}
