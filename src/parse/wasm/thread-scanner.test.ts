import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { parseConfig } from '../config.ts'
import { parsePage } from '../parse-page.ts'
import { threadScanner } from './thread-scanner.ts'

const options = { url: 'https://example.com/', contentType: 'text/html', config: parseConfig.parse({}) }

test('memory stays as it is over many pages, and what one long page needed is let go', () => {
  const page = Buffer.from(`<p>text ${'<a href=/x>y</a> '.repeat(5000)}`)
  parsePage(page, options)
  const before = threadScanner()!.bytes.length
  for (let i = 0; i < 200; i++) parsePage(page, options)
  assert.equal(threadScanner()!.bytes.length, before)
  parsePage(Buffer.alloc(12 * 2 ** 20, '<p>long '), options)
  assert.ok(threadScanner()!.bytes.length <= 16 * 2 ** 20)
})

test('a worker thread has a scanner of its own', async () => {
  const program = `
    import { parentPort } from 'node:worker_threads'
    const { threadScanner } = await import(${JSON.stringify(new URL('./thread-scanner.ts', import.meta.url).href)})
    parentPort.postMessage(threadScanner() !== undefined)`
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(program)}`))
  const [hasScanner] = await once(worker, 'message')
  assert.equal(hasScanner, true)
  await worker.terminate()
})
