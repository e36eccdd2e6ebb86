import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CanonicalUrl } from '../url/keys.ts'
import type { Reader, ReadRequest } from './reader.ts'
import { inBatches } from './start-reader.ts'

const request = (name: string) => ({ url: name as CanonicalUrl }) as ReadRequest

test('what was read in one turn of the loop is handed out together, after the last of it was read', async () => {
  const steps: string[] = []
  const reader = inBatches({
    async read({ url }: ReadRequest) {
      steps.push(`${url} read`)
      return { kind: 'failed', code: 'reset', detail: url, durationMs: 1 }
    },
  } as unknown as Reader)
  async function use(name: string) {
    await reader.read(request(name), () => {})
    for (const step of ['used', 'used again']) {
      steps.push(`${name} ${step}`)
      await undefined
    }
  }
  await Promise.all(['a', 'b'].map(use))
  assert.deepEqual(steps, ['a read', 'b read', 'a used', 'b used', 'a used again', 'b used again'])
})
