import type { Suite, Tally } from './suite.ts'

export type Held = Pick<Suite, 'title' | 'subject' | 'repository' | 'commit'> & {
  /** `undefined`: the suite is not on this machine. */
  readonly tally: Tally | undefined
}

const SHOWN_CASES = 5
const SHOWN_CHARS = 140

/** What was held against public rules, as a page of Markdown. */
export function report(held: readonly Held[], realPages: Tally | undefined): string {
  return `${[
    ...INTRODUCTION,
    '| Suite | Held against it | Cases | Passed | Exceptions | Faults |',
    '|---|---|--:|--:|--:|--:|',
    ...held.map(row),
    ...(realPages ? [pagesRow(realPages)] : []),
    '',
    ...held.flatMap((one) => (one.tally ? section(one, one.tally) : [])),
    ...(realPages ? pagesSection(realPages) : []),
  ].join('\n')}\n`
}

const INTRODUCTION = [
  '# Conformance',
  '',
  'What Orbweaver was held against that others have written. The suites lie beside the project and are no part of it:',
  '',
  '```sh',
  'node conformance/fetch.ts --suites DIR   # brings them, at the commits named below',
  'node conformance/run.ts --suites DIR     # runs them and writes this page; also by ORBWEAVER_SUITES',
  '```',
  '',
  'An exception is a case that is decided otherwise here on purpose, with its reason; a fault is one without.',
  '',
]

function row({ title, subject, tally }: Held): string {
  if (!tally) return `| ${title} | ${subject} | not on the machine that wrote this page | | | |`
  return `| ${title} | ${subject} | ${counts(tally)} |`
}

const pagesRow = (tally: Tally) => `| HTML: real pages | \`src/parse/\` against parse5 | ${counts(tally)} |`

function counts({ cases, passed, exceptions, faults }: Tally): string {
  const excepted = [...exceptions.values()].reduce((sum, names) => sum + names.length, 0)
  return [cases, passed, excepted, faults.length].map((count) => count.toLocaleString('en')).join(' | ')
}

function section({ title, repository, commit }: Held, tally: Tally): string[] {
  const source = `From [${repository}](https://github.com/${repository}/tree/${commit}).`
  return [`## ${title}`, '', [source, ...tally.notes].join(' '), '', ...details(tally)]
}

function pagesSection(tally: Tally): string[] {
  const source = 'Two cases for each page of a folder (`--pages DIR`).'
  return ['## HTML: real pages', '', [source, ...tally.notes].join(' '), '', ...details(tally)]
}

function details({ exceptions, faults }: Tally): string[] {
  const groups = [...exceptions].map(([reason, names]) => [`- ${names.length} × ${reason}:`, ...shown(names)])
  const wrong = faults.length > 0 ? [[`- ${faults.length} without a reason:`, ...shown(faults)]] : []
  const lines = [...groups, ...wrong].flat()
  return lines.length > 0 ? [...lines, ''] : []
}

function shown(names: readonly string[]): string[] {
  const some = names.slice(0, SHOWN_CASES).map((name) => `  - \`${oneLine(name)}\``)
  return names.length > SHOWN_CASES ? [...some, `  - and ${names.length - SHOWN_CASES} more`] : some
}

/** Cases are hostile text: nothing of them may end the quotation. */
function oneLine(name: string): string {
  const plain = name.replace(/[^\x20-\uffff]|[`\x7f-\x9f\u2028\u2029]/g, ' ')
  return plain.length > SHOWN_CHARS ? `${plain.slice(0, SHOWN_CHARS)}…` : plain
}
