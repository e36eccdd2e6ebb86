/** Writes docs/configuration.md from the schemas; `configurationPage` is what the test compares. */
import { writeFileSync } from 'node:fs'
import { environmentName } from '../src/config/load.ts'
import { type Setting, settings } from '../src/config/settings.ts'

export function configurationPage(): string {
  const groups = Map.groupBy(settings(), ({ name }) => (name.includes('.') ? name.split('.')[0]! : ''))
  return [
    '# Configuration',
    '',
    'Every setting can stand in a file (`--config FILE`, YAML or JSON), in an environment variable, or on the command line by `--set NAME=VALUE`; the later wins. Frequent ones have flags of their own: `orbweaver crawl --help`. An unknown setting is refused by name.',
    '',
    '```yaml',
    'limits: { maxPages: 1000 }',
    'politeness:',
    '  delayMs: 2000',
    '  hosts:',
    '    my-own-site.example: { delayMs: 0 }',
    '```',
    '',
    `The environment variable of \`fetch.maxBodyBytes\` is \`${environmentName('fetch.maxBodyBytes')}\`, and so on.`,
    ...[...groups].flatMap(([group, members]) => section(group, members)),
    '',
  ].join('\n')
}

function section(group: string, members: readonly Setting[]): string[] {
  const rows = members.map(({ name, type, default: value, description }) => {
    const shown = value === undefined ? '' : `\`${JSON.stringify(value)}\``
    const cells = [`\`${name}\``, type, shown.length > 80 ? 'a list' : shown, description]
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  })
  return ['', `## ${group || 'general'}`, '', '| Setting | Type | Default | |', '|---|---|---|---|', ...rows]
}

if (import.meta.main) writeFileSync(new URL('../docs/configuration.md', import.meta.url), configurationPage())
