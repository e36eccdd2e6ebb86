import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'
import { engineNames, engineTitles } from './names.ts'

interface Service {
  readonly image: string
  readonly ports: readonly string[]
  readonly healthcheck?: object
}

const read = (path: string) => readFileSync(join(import.meta.dirname, '..', '..', path), 'utf8')
const { services } = parse(read('compose.yaml')) as { services: Record<string, Service> }

test('Docker gives the same engines', () => {
  assert.deepEqual(Object.keys(services), [...engineNames])
})

test('no engine of Docker is open to the network, and each says when it is ready', () => {
  for (const { ports, healthcheck } of Object.values(services)) {
    assert.ok(ports.length > 0 && ports.every((port) => port.startsWith('127.0.0.1:')))
    assert.ok(healthcheck)
  }
})

test('the variables for Docker name ports that are published', () => {
  const exported = [...read('docs/engines.md').matchAll(/^export (\w+)=(.+)$/gm)].map(([, name, url]) => [name, url])
  const urls = new Map(exported as [string, string][])
  assert.deepEqual(
    [...urls.keys()],
    engineNames.map((name) => engineTitles[name].variable),
  )
  for (const name of engineNames) {
    const port = /127\.0\.0\.1:(\d+)/.exec(urls.get(engineTitles[name].variable)!)![1]!
    assert.match(services[name]!.ports[0]!, new RegExp(`^127\\.0\\.0\\.1:${port}\\b`))
  }
})
