import assert from 'node:assert/strict'
import { test } from 'node:test'
import { probeOf } from '../reading/missing-pages.ts'
import type { UrlRecord } from '../store/url-record.ts'
import type { CanonicalUrl } from '../url/keys.ts'
import { SoftMissing } from './soft-missing.ts'

const url = 'https://e.com/gone' as CanonicalUrl
const record = (given: Partial<UrlRecord>) =>
  ({ url, status: 200, title: 'Not found', text: 'Sorry, no such page here.', ...given }) as UrlRecord

function judging(answer: UrlRecord | undefined) {
  const asked: CanonicalUrl[] = []
  const get = async (of: CanonicalUrl) => {
    asked.push(of)
    return answer
  }
  return { missing: new SoftMissing({ get }), asked }
}

test('a page like the answer to what cannot exist is missing; another one is content, and the store is asked once', async () => {
  const { missing, asked } = judging(record({ url: probeOf(url) }))
  assert.equal((await missing.judge(record({}), false)).kind, 'missing')
  assert.equal(
    (await missing.judge(record({ text: 'Our new album "404" is out now, hear it.' }), false)).kind,
    'content',
  )
  assert.deepEqual(asked, [probeOf(url)])
})

test('where the status tells the truth, a page that looks missing is content', async () => {
  const { missing } = judging(record({ url: probeOf(url), status: 404 }))
  assert.equal((await missing.judge(record({}), false)).kind, 'content')
})

test('before the host was asked nothing is decided, unless the page was put off already or too many were', async () => {
  const { missing } = judging(undefined)
  assert.equal((await missing.judge(record({}), true)).kind, 'content')
  const kinds: string[] = []
  for (let i = 0; i < 40; i++) kinds.push((await missing.judge(record({}), false)).kind)
  assert.equal(kinds[0], 'unknown')
  assert.equal(kinds.at(-1), 'content')
})

test('the answer to what cannot exist is not judged by itself', async () => {
  const { missing, asked } = judging(undefined)
  assert.equal((await missing.judge(record({ url: probeOf(url) }), false)).kind, 'content')
  assert.deepEqual(asked, [])
})
