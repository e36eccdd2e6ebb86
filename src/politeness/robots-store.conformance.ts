import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import type { Origin } from '../url/keys.ts'
import type { RobotsEntry, RobotsStore } from './robots-store.ts'

/** Makes an empty place for one test; the answer opens the store there, as often as asked. */
export type RobotsStorePlace = (test: TestContext) => () => Promise<RobotsStore>

/** What every robots store promises: straight, and with the store closed and opened again between act and check. */
export function robotsStoreConformance(name: string, place: RobotsStorePlace, skip: string | false = false): void {
  for (const reopen of [false, true])
    describe(`${name}: robots store${reopen ? ', closed and opened again' : ''}`, { skip }, () => suite(place, reopen))
}

const A = 'https://a.test' as Origin
const B = 'https://a.test:8443' as Origin
const text = 'User-agent: *\r\nDisallow: /é\u0000\n'
const rules = { kind: 'rules', text, fetchedAt: 1, expiresAt: 2 } as const satisfies RobotsEntry
const none: RobotsEntry = { kind: 'none', status: 404, fetchedAt: 3, expiresAt: 1_900_000_000_000 }
const unavailable: RobotsEntry = {
  kind: 'unavailable',
  code: 'reset',
  detail: 'connection reset',
  failures: 4,
  fetchedAt: 5,
  expiresAt: 6,
}

function suite(place: RobotsStorePlace, reopen: boolean): void {
  async function after(t: TestContext, act: (store: RobotsStore) => Promise<void>): Promise<RobotsStore> {
    const open = place(t)
    const store = await open()
    await act(store)
    if (!reopen) return store
    await store[Symbol.asyncDispose]()
    return open()
  }

  for (const entry of [rules, none, unavailable])
    test(`an entry of kind ${entry.kind} is read back as it was, though it has expired`, async (t) => {
      const store = await after(t, (store) => store.put(A, entry))
      assert.deepEqual(await store.get(A), entry)
    })

  test('an origin that was never asked has no entry, whatever its neighbours have', async (t) => {
    const store = await after(t, (store) => store.put(A, rules))
    assert.equal(await store.get(B), undefined)
    assert.equal(await store.get('http://a.test' as Origin), undefined)
  })

  test('a later entry replaces an earlier one of its origin alone', async (t) => {
    const store = await after(t, async (store) => {
      await store.put(A, rules)
      await store.put(B, rules)
      await store.put(A, unavailable)
      await store.put(A, none)
    })
    assert.deepEqual(await store.get(A), none)
    assert.deepEqual(await store.get(B), rules)
  })

  test('a file of the largest size is kept whole', async (t) => {
    const text = 'é'.repeat(256_000)
    const store = await after(t, (store) => store.put(A, { ...rules, text }))
    assert.deepEqual(await store.get(A), { ...rules, text })
  })
}
