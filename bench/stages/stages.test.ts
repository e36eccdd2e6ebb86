import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { inventedPages } from '../site/invented.ts'
import { measure, type Stage } from './measure.ts'
import { sampleOf } from './samples.ts'
import { STAGES } from './stages.ts'

const samples = Array.from(inventedPages().take(2), (html, serial) => sampleOf(Buffer.from(html), serial))

describe('the bench of stages', () => {
  for (const stage of STAGES)
    test(`${stage.name}: ours comes first, and every way does its work`, async () => {
      const measured = await measure(stage, samples, 1, () => {})
      assert.match(measured[0]!.way, /^ours/)
      for (const { cpuMsPerPage } of measured) assert.ok(cpuMsPerPage >= 0)
    })

  test('ways take turns over all pages, are flushed after each turn and closed in the end', async () => {
    const done: string[] = []
    const way = (name: string) => ({
      name,
      open: () => ({
        page: (_sample: unknown, serial: number) => done.push(`${name}${serial}`),
        flush: () => done.push(`${name} flush`),
        close: () => done.push(`${name} close`),
      }),
    })
    const stage: Stage = { name: 'x', ways: async () => [way('a'), way('b')] }
    await measure(stage, samples, 1, () => {})
    assert.deepEqual(done.slice(0, 9), ['a0', 'a1', 'a flush', 'b0', 'b1', 'b flush', 'a2', 'a3', 'a flush'])
    assert.deepEqual(done.slice(-2), ['a close', 'b close'])
  })
})
