import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contentHash, receivedHash } from './content-hash.ts'

test('a body is known by its SHA-256 in hexadecimal', () => {
  assert.equal(contentHash(Buffer.from('test')), '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08')
})

test('an empty body has no hash, since all empty bodies would be duplicates', () => {
  assert.equal(contentHash(Buffer.alloc(0)), '')
})

test('where nothing but links is kept a page is known by its bytes as received', () => {
  const body = Buffer.from('test')
  const rawBody = Buffer.from([1, 2, 3])
  assert.equal(receivedHash({ body, rawBody }), contentHash(rawBody))
  assert.equal(receivedHash({ body, rawBody: body }), contentHash(body))
  assert.equal(receivedHash({ body: Buffer.alloc(0), rawBody }), '')
})
