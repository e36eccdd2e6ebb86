import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { get } from './get.ts'
import { demoWeb, smallWeb, wideWeb } from './presets.ts'
import { startTestWeb, type TestWeb } from './web.ts'

/** Everything expected, contents included, in one number. */
function digest(web: TestWeb): string {
  const parts = JSON.stringify(web.expected(), (_, value) => (value instanceof Map ? [...value] : value))
  return createHash('sha256').update(parts).digest('hex')
}

test('the same seed and ports give the same expected set and the same bytes', async () => {
  const first = await startTestWeb(smallWeb)
  const { httpPort, httpsPort } = first
  const before = digest(first)
  await first[Symbol.asyncDispose]()
  await using second = await startTestWeb({ ...smallWeb, httpPort, httpsPort })
  assert.equal(digest(second), before)
})

test('another seed gives other pages under the same names', async () => {
  await using web = await startTestWeb(wideWeb(3))
  await using other = await startTestWeb({ ...wideWeb(3), seed: 'another' })
  const markers = new Set([...web.expected().pages.values()].map(({ marker }) => marker))
  assert.deepEqual(
    web.hosts.map(({ name }) => name),
    other.hosts.map(({ name }) => name),
  )
  assert.ok([...other.expected().pages.values()].every(({ marker }) => !markers.has(marker)))
})

test('what is served hashes to the content key, compressed or not', async () => {
  await using web = await startTestWeb(demoWeb)
  for (const [url, { contentKey }] of [...web.expected().pages].slice(0, 40))
    for (const headers of [{}, { 'accept-encoding': 'br, gzip' }])
      assert.equal(
        createHash('sha256')
          .update((await get(web, url, headers)).body)
          .digest('hex'),
        contentKey,
        url,
      )
})

test('markers are unique but for copies', async () => {
  await using web = await startTestWeb(smallWeb)
  const { pages, duplicates, nearDuplicates } = web.expected()
  const copies = new Set([...duplicates, ...nearDuplicates].flatMap((group) => group.slice(1)))
  const markers = [...pages].filter(([url]) => !copies.has(url)).map(([, { marker }]) => marker)
  assert.equal(new Set(markers).size, markers.length)
})

test('only declared near-duplicates read nearly alike', async () => {
  await using web = await startTestWeb(demoWeb)
  const { pages, duplicates, nearDuplicates } = web.expected()
  const copies = new Set(duplicates.flatMap((group) => group.slice(1)))
  const group = new Map(nearDuplicates.flatMap((urls, number) => urls.map((url) => [url, number] as const)))
  const texts = await Promise.all(
    [...pages.keys()]
      .filter((url) => !copies.has(url))
      .map(async (url) => [url, pairsOf(await get(web, url))] as const),
  )
  for (const [url, words] of texts)
    for (const [other, others] of texts) {
      if (url <= other || new URL(url).host !== new URL(other).host) continue
      const isNear = group.has(url) && group.get(url) === group.get(other)
      assert.equal(likeness(words, others) > 0.9, isNear, `${url} and ${other}`)
    }
})

function pairsOf({ body }: { readonly body: Buffer }): Set<string> {
  const text = /<main>([\s\S]*)<\/main>/.exec(body.toString())?.[1] ?? ''
  const words = text.replace(/<[^>]*>/g, ' ').split(/\s+/)
  return new Set(words.map((word, i) => `${word} ${words[i + 1] ?? ''}`))
}

function likeness(a: Set<string>, b: Set<string>): number {
  const common = [...a].filter((pair) => b.has(pair)).length
  return common / (a.size + b.size - common)
}
