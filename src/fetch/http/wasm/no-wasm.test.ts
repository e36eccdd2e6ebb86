import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { gzipSync } from 'node:zlib'
import { random } from '../../../../test/web/random.ts'
import { type DecodedBody, decodeBody } from '../decode-body.ts'

const limits = { maxBytes: 300_000, maxInflation: 200 }
const page = Buffer.from(Array.from({ length: 2000 }, (_, i) => `<p>${(i * 2654435761) % 4294967296}</p>`).join(''))

const PROGRAM = `
  import { parentPort, workerData } from 'node:worker_threads'
  const { decodeBody } = await import(${JSON.stringify(new URL('../decode-body.ts', import.meta.url).href)})
  const { wasmInflate } = await import(${JSON.stringify(new URL('./wasm-inflate.ts', import.meta.url).href)})
  const { bodies, limits } = workerData
  const decoded = []
  for (const body of bodies) decoded.push(await decodeBody(Buffer.from(body), 'gzip', limits))
  parentPort.postMessage({ hasWasm: wasmInflate() !== undefined, decoded })`

interface Told {
  readonly hasWasm: boolean
  readonly decoded: readonly DecodedBody[]
}

test('with ORBWEAVER_NO_WASM=1 bodies are inflated without it, to the same end', async () => {
  const bodies = [...oddBodies(), ...damagedBodies(300)]
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(PROGRAM)}`), {
    env: { ...process.env, ORBWEAVER_NO_WASM: '1' },
    workerData: { bodies, limits },
  })
  const [told] = (await once(worker, 'message')) as [Told]
  await worker.terminate()
  assert.equal(told.hasWasm, false)
  for (const [i, body] of bodies.entries())
    assert.deepEqual(shown(await decodeBody(body, 'gzip', limits)), shown(told.decoded[i]!), `body ${i}`)
})

/** A body that came from another thread is no `Buffer` any more. */
function shown(decoded: DecodedBody): unknown {
  return decoded.kind === 'decoded' ? { ...decoded, body: Buffer.from(decoded.body).toString('latin1') } : decoded
}

function oddBodies(): Buffer[] {
  const sound = gzipSync(page)
  const wrongSum = Buffer.from(sound)
  wrongSum[wrongSum.length - 6]! ^= 0xff
  const lying = [0, 1, page.length - 1, page.length + 1, 1024 * 1024, 0xffffffff].map((bytes) => {
    const body = Buffer.from(sound)
    body.writeUInt32LE(bytes, body.length - 4)
    return body
  })
  return [
    ...[sound, wrongSum, ...lying, gzipSync(Buffer.alloc(0)), Buffer.alloc(0), page],
    Buffer.concat([sound, sound]),
    Buffer.concat([sound, Buffer.from('\n<!-- served by proxy -->')]),
    // Within its word, over the limit, a bomb.
    ...[
      gzipSync(Buffer.alloc(299_999, page)),
      gzipSync(Buffer.alloc(300_001, page)),
      gzipSync(Buffer.alloc(20_000_000)),
    ],
  ]
}

function damagedBodies(count: number): Buffer[] {
  const chance = random(2)
  return Array.from({ length: count }, (_, i) => {
    const body = gzipSync(page.subarray(0, chance.below(page.length)), { level: i % 10, strategy: i % 5 })
    if (i % 2 === 0) return body.subarray(0, chance.below(body.length))
    body[chance.below(body.length)]! ^= 1 << chance.below(8)
    return body
  })
}
