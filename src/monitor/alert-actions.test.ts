import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Operations } from '../orchestrator/operations.ts'
import { alertActions } from './alert-actions.ts'

/** Two crawls that run and one that is paused, of which only links and seeds matter. */
function staged(links: Record<string, number>, checks = [{ what: 'redis', ok: true, says: 'answers' }]) {
  const limits = new Map(Object.entries(links))
  const changed: string[] = []
  const operations = {
    kind: 'fleet',
    counters: async () => ({
      crawls: [...limits.keys()].map((id) => ({ id, state: id === 'paused' ? 'paused' : 'running' })),
      workers: [],
    }),
    checks: async () => checks,
    crawls: {
      read: async (id: string) => ({
        orders: { seeds: [`https://${id}.example/x`], config: { limits: { maxLinksPerPage: limits.get(id) } } },
      }),
      async change(id: string, { maxLinksPerPage }: { maxLinksPerPage: number }) {
        changed.push(id)
        limits.set(id, maxLinksPerPage)
      },
    },
  } as unknown as Operations
  return { operations, limits, changed }
}

const config = { fewerLinks: 20 }
const checkNetwork = async (hosts: readonly string[]) => [
  { what: 'Names (DNS)', ok: false, says: `asked ${hosts.join()}` },
]

test('fewer links are taken while the frontier is too large, and as many as before afterwards', async () => {
  const { operations, limits } = staged({ a: 0, b: 5, c: 100, paused: 0 })
  const actions = alertActions({ operations, config, checkNetwork, urgeWorkers: undefined })
  await actions['fewer-links']!(true)
  assert.deepEqual(Object.fromEntries(limits), { a: 20, b: 5, c: 20, paused: 0 })
  await actions['fewer-links']!(false)
  assert.deepEqual(Object.fromEntries(limits), { a: 0, b: 5, c: 100, paused: 0 })
})

test('a leader that took over gives links back that another has taken', async () => {
  const { operations, limits } = staged({ a: 20 })
  await alertActions({ operations, config, checkNetwork, urgeWorkers: undefined })['fewer-links']!(false)
  assert.equal(limits.get('a'), 0)
})

test('filters are made anew by beginning again with the same settings', async () => {
  const { operations, limits, changed } = staged({ a: 7, paused: 0 })
  await alertActions({ operations, config, checkNetwork, urgeWorkers: undefined })['rebuild-filter']!(true)
  assert.deepEqual(changed, ['a'])
  assert.equal(limits.get('a'), 7)
})

test('the checks say which of names, network and engines is at fault', async () => {
  const { operations } = staged({ a: 0 }, [{ what: 'redis', ok: false, says: 'no answer' }])
  const said = await alertActions({ operations, config, checkNetwork, urgeWorkers: undefined })['check-network']!(true)
  assert.equal(said, 'Checked, and at fault: Names (DNS) (asked a.example); redis (no answer).')
})

test('more workers are asked for only where somebody starts them, and when it begins', async () => {
  const { operations } = staged({})
  assert.equal(alertActions({ operations, config, checkNetwork, urgeWorkers: undefined })['scale-up'], undefined)
  let urged = 0
  const act = alertActions({ operations, config, checkNetwork, urgeWorkers: () => urged++ })['scale-up']!
  await act(true)
  await act(false)
  assert.equal(urged, 1)
})
