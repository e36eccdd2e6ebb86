import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Settled } from '../frontier/frontier.ts'
import type { CanonicalUrl } from '../url/keys.ts'
import { engineNews, fetches, settlements } from './events.ts'
import { openLogFile } from './log-file.ts'
import { type LogLevel, openEventLog, urlId } from './logs.ts'
import { redactedText, redactedUrl } from './redacted.ts'

const url = 'https://a.example/?token=hush&page=2' as CanonicalUrl
const clock = { now: () => 0, sleep: async () => {} }

function logged(level: LogLevel, act: () => void): Record<string, unknown>[] {
  const lines: string[] = []
  using _log = openEventLog({ level, clock, about: { service: 'worker' }, write: (line) => lines.push(line) })
  act()
  return lines.map((line) => JSON.parse(line))
}

const settle = (visit: Partial<Settled>) =>
  settlements.tell({ host: 'a.example', visit: { url, ...visit } as Settled, answer: 'settled' })

test('every line says when, how grave, what, and which process it was', () => {
  const [line] = logged('info', () => engineNews.tell({ engine: 's3', isAway: true, reason: 'ECONNREFUSED' }))
  assert.deepEqual(line, {
    ...{ at: '1970-01-01T00:00:00.000Z', level: 'warn', event: 'engine-away', service: 'worker' },
    ...{ engine: 's3', reason: 'ECONNREFUSED' },
  })
})

test('a dead letter is a warning, other visits are told to those who want every one', () => {
  const act = () => {
    settle({ kind: 'done' })
    fetches.tell({ url, status: 200, code: '', durationMs: 12.3 })
    settle({ kind: 'dead', reason: 'dns-not-found' })
  }
  assert.deepEqual(
    logged('info', act).map(({ event, kind, reason }) => [event, kind, reason]),
    [['settled', 'dead', 'dns-not-found']],
  )
  const all = logged('debug', act)
  assert.deepEqual(
    all.map(({ event }) => event),
    ['settled', 'fetched', 'settled'],
  )
  assert.deepEqual(new Set(all.map((line) => line.urlId)), new Set([urlId(url)]))
})

test('no line holds a secret', () => {
  const lines = logged('debug', () => {
    settle({ kind: 'done' })
    engineNews.tell({ engine: 'redis', isAway: true, reason: 'WRONGPASS redis://admin:hush@cache:6379' })
  })
  assert.doesNotMatch(JSON.stringify(lines), /hush/)
})

test('what looks like a secret is left out of URLs and sentences, and the rest stays', () => {
  assert.equal(
    redactedUrl('https://u:p@a.example/x?q=1&api_key=s&X-Amz-Signature=s'),
    'https://a.example/x?q=1&api_key=REDACTED&X-Amz-Signature=REDACTED',
  )
  assert.equal(redactedUrl('https://a.example/x?q=tokens'), 'https://a.example/x?q=tokens')
  assert.equal(
    redactedText('Authorization: Bearer abc.def, password=hush; port=1'),
    'Authorization: REDACTED, password=REDACTED; port=1',
  )
  assert.equal(redactedText('amqp://me:hush@host/x is away'), 'amqp://host/x is away')
})

test('lines are appended to a file, and a file that cannot be opened is told in one sentence', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'log-'))
  try {
    const path = join(folder, 'events.jsonl')
    for (const text of ['one', 'two']) {
      await using file = await openLogFile(path)
      file.write(text)
    }
    assert.equal(readFileSync(path, 'utf8'), 'one\ntwo\n')
    await assert.rejects(openLogFile(join(folder, 'no', 'such')), /Log file .* cannot be opened: ENOENT/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
