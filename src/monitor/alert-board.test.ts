import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Actions, AlertBoard, configuredRules, silencesInMemory } from './alert-board.ts'
import { alertRules } from './alert-rules.ts'
import type { AlertNews } from './notify/news.ts'

const bad = { fetchSuccess: 0.1, requestsPerSecond: 100 }
const good = { fetchSuccess: 1, requestsPerSecond: 100 }

const never = () => new Promise<never>(() => {})

function boardOf({
  actions = {} as Actions,
  leads = (): boolean => true,
  mayAct = true,
  silences = silencesInMemory(),
  sleep = never as () => Promise<void>,
} = {}) {
  const told: AlertNews[] = []
  const logged: string[] = []
  const clock = { at: 0, now: () => clock.at, sleep }
  const board = new AlertBoard({
    rules: alertRules.filter(({ id }) => id === 'fetch-failing'),
    config: { actions: mayAct, repeatMs: 3_600_000 },
    silences,
    notifiers: [
      { name: 'broken', tell: () => Promise.reject(new Error('no route')) },
      { name: 'list', tell: async (news) => void told.push(news) },
    ],
    ...{ actions, leads, clock, log: (line: string) => logged.push(line) },
  })
  const lookFor = async (ms: number, measures: typeof bad) => {
    for (const end = clock.at + ms; clock.at < end; clock.at += 10_000) await board.look(measures)
  }
  return { board, told, logged, clock, lookFor }
}

const kinds = (told: readonly AlertNews[]) => told.map(({ kind }) => kind)

test('people are told when an alert begins and when it ends, by every way that works', async () => {
  const { told, lookFor, logged, board } = boardOf()
  await lookFor(200_000, bad)
  assert.equal(board.firing, 1)
  await lookFor(200_000, good)
  assert.deepEqual(kinds(told), ['firing', 'resolved'])
  assert.ok(logged.includes('alert not told by broken: no route'))
  assert.equal(board.firing, 0)
})

test('silences that cannot be asked for keep nobody from being told', async () => {
  const silences = { ...silencesInMemory(), all: never }
  const { told, lookFor, board } = boardOf({ silences, sleep: async () => {} })
  await lookFor(200_000, bad)
  assert.deepEqual(kinds(told), ['firing'])
  assert.deepEqual(
    (await board.list()).map(({ state }) => state),
    ['firing'],
  )
})

test('one that lasts is told again after a while', async () => {
  const { told, lookFor } = boardOf()
  await lookFor(8_000_000, bad)
  assert.deepEqual(kinds(told), ['firing', 'still-firing', 'still-firing'])
})

test('a silent alert is judged and acted upon, and nobody is told until the silence is over', async () => {
  const acted: boolean[] = []
  const actions = { 'check-network': async (begins: boolean) => String(acted.push(begins)) }
  const { told, lookFor, board, clock } = boardOf({ actions })
  const silent = await board.silence('fetch-failing', { forMs: 3_700_000 })
  assert.equal(silent!.silencedUntil, 3_700_000)
  await lookFor(3_600_000, bad)
  assert.deepEqual(kinds(told), [])
  assert.deepEqual(acted, [true])
  clock.at = 3_700_000
  await lookFor(3_000_000, bad)
  assert.deepEqual(kinds(told), ['still-firing'])
  assert.equal((await board.unsilence('fetch-failing'))!.silencedUntil, null)
  assert.equal(await board.silence('no-such-rule', { forMs: 1 }), undefined)
})

test('what was done is told, also that it failed', async () => {
  const failing = boardOf({ actions: { 'check-network': () => Promise.reject(new Error('no name server')) } })
  await failing.lookFor(200_000, bad)
  assert.equal(failing.told[0]!.done, 'check-network failed: no name server')
  const working = boardOf({ actions: { 'check-network': async () => 'DNS is at fault.' } })
  await working.lookFor(200_000, bad)
  assert.equal(working.told[0]!.done, 'DNS is at fault.')
  assert.equal((await working.board.list())[0]!.action, 'DNS is at fault.')
})

test('actions can be switched off', async () => {
  const { lookFor, told } = boardOf({ mayAct: false, actions: { 'check-network': async () => 'done' } })
  await lookFor(200_000, bad)
  assert.equal(told[0]!.done, '')
})

test('of several orchestrators all know, and only the leader tells; one that takes over tells nothing twice', async () => {
  let leads = false
  const { told, lookFor, board } = boardOf({ leads: () => leads })
  await lookFor(200_000, bad)
  assert.equal(board.firing, 1)
  assert.deepEqual(told, [])
  leads = true
  await lookFor(200_000, bad)
  assert.deepEqual(told, [])
  await lookFor(200_000, good)
  assert.deepEqual(kinds(told), ['resolved'])
})

test('settings move a threshold with its way back, change a time, or switch a rule off', () => {
  const rules = configuredRules(alertRules, {
    ...{ off: ['disk-full'], thresholds: { 'throughput-low': 100 }, forMs: { 'fetch-failing': 0 } },
  })
  const { threshold, clearsAt } = rules.find(({ id }) => id === 'throughput-low')!
  assert.equal(threshold, 100)
  assert.ok(Math.abs(clearsAt - 110) < 1e-9)
  assert.equal(
    rules.some(({ id }) => id === 'disk-full'),
    false,
  )
  assert.equal(rules.find(({ id }) => id === 'fetch-failing')!.forMs, 0)
  const wrong = { off: [], thresholds: { 'disk-ful': 1 }, forMs: {} }
  assert.throws(() => configuredRules(alertRules, wrong), /no alert rule "disk-ful"\. Did you mean disk-full\?/)
})
