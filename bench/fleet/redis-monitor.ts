import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Redis } from 'ioredis'

/** What one kind of question costs Redis for a page: a script by its file, a command by its name and key. */
export interface AskedOfPage {
  readonly calls: number
  /** With all that a script does inside. */
  readonly operations: number
  /** Trips that it began: the others it shared. */
  readonly trips: number
}

interface Asked {
  calls: number
  operations: number
  trips: number
}

/** Commands of one connection that follow each other so closely were read at once. */
const sameTripSeconds = 0.001

/**
 * Counts by MONITOR what Redis is asked, by kind. That costs Redis more than the work itself, so that times measured
 * beside it are worth nothing; counts are.
 */
export class RedisMonitor {
  readonly #names = new Map<string, string>()
  readonly #sources = scriptSources()
  readonly #prefix: string
  #asked = new Map<string, Asked>()
  #last = { kind: '', from: '', at: 0 }

  constructor(prefix: string) {
    this.#prefix = prefix
  }

  async watch(redis: Redis): Promise<Disposable> {
    const monitor = await redis.monitor()
    monitor.on('monitor', (time: string, words: string[], from: string) => this.heard(Number(time), words, from))
    return { [Symbol.dispose]: () => monitor.disconnect() }
  }

  /** A line of MONITOR: when, what, and by whom; `lua` for what scripts do. */
  heard(at: number, words: readonly string[], from: string): void {
    if (from === 'lua') {
      this.#of(this.#last.kind).operations++
      return
    }
    const kind = this.#kindOf(words)
    const asked = this.#of(kind)
    asked.calls++
    asked.operations++
    if (from !== this.#last.from || at - this.#last.at > sameTripSeconds) asked.trips++
    this.#last = { kind, from, at }
  }

  /** Begins to count anew. */
  reset(): void {
    this.#asked = new Map()
  }

  /** The most operations first. */
  ofPage(pages: number): Readonly<Record<string, AskedOfPage>> {
    const each = (value: number) => Number((value / pages).toFixed(3))
    const rows = [...this.#asked].sort(([, a], [, b]) => b.operations - a.operations)
    return Object.fromEntries(
      rows.map(([kind, { calls, operations, trips }]) => [
        kind,
        { calls: each(calls), operations: each(operations), trips: each(trips) },
      ]),
    )
  }

  #of(kind: string): Asked {
    let asked = this.#asked.get(kind)
    if (!asked) {
      asked = { calls: 0, operations: 0, trips: 0 }
      this.#asked.set(kind, asked)
    }
    return asked
  }

  #kindOf([command = '', first = '']: readonly string[]): string {
    const name = command.toLowerCase()
    if (name === 'eval') this.#learn(first)
    if (name === 'eval') return this.#names.get(digestOf(first)) ?? name
    if (name === 'evalsha') return this.#names.get(first) ?? name
    return [name, this.#kindOfKey(first)].filter((part) => part !== '').join(' ')
  }

  /** Scripts are sent whole once, and by their digest from then on. */
  #learn(quoted: string): void {
    const source = unquoted(quoted).toString()
    const file = this.#sources.find(([, text]) => source.endsWith(text))
    if (file) this.#names.set(digestOf(quoted), file[0])
  }

  /** What all keys of a kind have in common: numbers, crawls, hosts and hashes are left out. */
  #kindOfKey(key: string): string {
    if (!key.includes(this.#prefix)) return ''
    const parts = key.replaceAll(/\{.*?\}/g, '').split(':')
    return parts.filter((part) => /^[a-z]+$/i.test(part)).join(':')
  }
}

function scriptSources(): (readonly [name: string, text: string])[] {
  const root = fileURLToPath(new URL('../../src', import.meta.url))
  const files = globSync('**/*.lua', { cwd: root })
  return files.map((file) => [basename(file, '.lua'), readFileSync(join(root, file), 'utf8')] as const)
}

const digestOf = (quoted: string) => createHash('sha1').update(unquoted(quoted)).digest('hex')

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', a: '\x07', b: '\b' }

/** As MONITOR writes bytes that are no plain letters. */
function unquoted(text: string): Buffer {
  const bytes = text.replaceAll(/\\(?:x([0-9a-f]{2})|(.))/g, (_, hex?: string, letter = '') =>
    hex ? String.fromCharCode(Number.parseInt(hex, 16)) : (escapes[letter] ?? letter),
  )
  return Buffer.from(bytes, 'latin1')
}
