import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseRobots, verdict } from '../../src/politeness/robots.ts'
import { type Suite, Tally } from '../suite.ts'
import { statementsOf, type Token, testsOf, tokensOf } from './cpp-source.ts'

const RFC =
  'RFC 9309 asks to compare URLs and rules in one spelling of escapes; this parser leaves it to its caller to escape URLs'

const LOST = 'a rule that stands before any user-agent line is dropped at once, not counted and then ignored'

/** The tests of Google's parser, read as a list of files and expectations. */
export const googleRobots: Suite = {
  title: 'robots.txt: the tests of Google’s parser',
  subject: '`src/politeness/robots.ts`',
  repository: 'google/robotstxt',
  commit: '22b355ff855419e6a3ff8ff09c0ad7fdb17116f9',
  paths: ['robots_test.cc'],
  run(folder) {
    const tally = new Tally()
    let validity = 0
    for (const { name, body } of testsOf(readFileSync(join(folder, 'robots_test.cc'), 'utf8'))) {
      validity += body.split('IsValidUserAgentToObey').length - 1
      if (body.includes('while ('))
        tally.notes.push(`\`${name}\` is a program, not a list: a test of ours says the same.`)
      else new Reader(name, tally).run(statementsOf(tokensOf(body)))
    }
    tally.notes.push(
      `${validity} expectations are about \`IsValidUserAgentToObey\`, a question that is not asked here.`,
    )
    return tally
  },
}

class Reader {
  readonly #name: string
  readonly #tally: Tally
  readonly #values = new Map<string, Buffer>()
  #file: Buffer = Buffer.alloc(0)

  constructor(name: string, tally: Tally) {
    this.#name = name
    this.#tally = tally
  }

  run(statements: readonly Token[][]): void {
    for (const statement of statements) this.#statement(statement)
  }

  #statement(tokens: Token[]): void {
    const words = tokens.filter((token) => token.kind === 'word').map(({ word }) => word)
    const [first = '', second = ''] = words
    const equals = tokens.findIndex((token) => token.kind === 'mark' && token.mark === '=')
    if (first === 'absl::StrAppend') this.#append(tokens)
    else if (first === 'googlebot::ParseRobotsTxt') this.#file = this.#arguments(tokens)[0]!
    else if (second === 'IsUserAgentAllowed') this.#allowed(tokens, first === 'EXPECT_TRUE')
    else if (first === 'EXPECT_EQ') this.#counted(tokens, words)
    else if (first === 'TestPath') this.#path(tokens)
    else if (first === 'TestEscape') this.#escape(tokens)
    else if (equals > 0) this.#values.set(this.#declared(tokens.slice(0, equals)), this.#joined(tokens.slice(equals)))
    else if (first === 'std::string') this.#values.set(second, Buffer.alloc(0))
  }

  #declared(tokens: readonly Token[]): string {
    return tokens.findLast((token) => token.kind === 'word')!.word
  }

  #append(tokens: readonly Token[]): void {
    const target = tokens.find((token) => token.kind === 'word' && token.word.startsWith('&'))
    if (target?.kind !== 'word') return
    const name = target.word.slice(1)
    const rest = this.#joined(tokens.slice(tokens.indexOf(target) + 1))
    this.#values.set(name, Buffer.concat([this.#values.get(name) ?? Buffer.alloc(0), rest]))
  }

  /** All texts and names, one behind the other. */
  #joined(tokens: readonly Token[]): Buffer {
    return Buffer.concat(tokens.map((token) => this.#value(token) ?? Buffer.alloc(0)))
  }

  #value(token: Token): Buffer | undefined {
    if (token.kind === 'text') return token.bytes
    return token.kind === 'word' ? this.#values.get(token.word) : undefined
  }

  #arguments(tokens: readonly Token[]): Buffer[] {
    return tokens.flatMap((token) => this.#value(token) ?? [])
  }

  #allowed(tokens: readonly Token[], expected: boolean): void {
    const [file, agent, url] = this.#arguments(tokens)
    const { allowed } = verdict(parseRobots(file!), agent!.toString(), url!.toString())
    const name = `${this.#name}: ${agent} ${url}`
    const isUnescaped = /[^\x20-\x7e]/.test(url!.toString()) || /%6\d|%7[0-9a]/i.test(`${file}`)
    this.#tally.check(allowed === expected, name, isUnescaped ? RFC : undefined)
  }

  #counted(tokens: readonly Token[], words: readonly string[]): void {
    const { groups, sitemaps } = parseRobots(this.#file)
    const rules = groups.flatMap((group) => group.rules)
    const found = {
      'report.valid_directives':
        rules.length + sitemaps.length + groups.reduce((sum, { agents }) => sum + agents.size, 0),
      'report.last_line_seen': Math.max(0, ...rules.map(({ line }) => line)),
      'report.sitemap': sitemaps.join(''),
    }
    const question = words.find((word): word is keyof typeof found => word in found)
    if (question === undefined) return
    const expected = this.#arguments(tokens)[0]?.toString() ?? Number(words[1])
    const name = `${this.#name}: ${question} of ${JSON.stringify(`${this.#file}`)}`
    this.#tally.check(found[question] === expected, name, groups.length === 0 ? LOST : undefined)
  }

  /** A rule that is the expected path and ends there must fit the URL. */
  #path(tokens: readonly Token[]): void {
    const [url, path] = this.#arguments(tokens).map(String)
    const rules = parseRobots(`User-agent: *\nDisallow: ${path}$`)
    this.#tally.check(!verdict(rules, 'x', url!).allowed, `${this.#name}: ${url} → ${path}`)
  }

  #escape(tokens: readonly Token[]): void {
    const [pattern, escaped] = this.#arguments(tokens).map(String)
    const rules = parseRobots(`User-agent: *\nDisallow: /${pattern}$`)
    this.#tally.check(!verdict(rules, 'x', `http://x.test/${escaped}`).allowed, `${this.#name}: ${pattern}`)
  }
}
