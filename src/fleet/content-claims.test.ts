import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import type { Redis } from 'ioredis'
import { engineFor } from '../../test/engines.ts'
import { systemClock } from '../clock.ts'
import { redisConfig } from '../engines/redis/config.ts'
import { connectRedis } from '../engines/redis/connect.ts'
import type { RecordStore } from '../store/record-store.ts'
import type { UrlRecord } from '../store/url-record.ts'
import type { CanonicalUrl } from '../url/keys.ts'
import { claimingContents } from './content-claims.ts'

const clock = systemClock()
const engine = engineFor('redis')
const url = (path: string) => `http://a.test/${path}` as CanonicalUrl

test('of workers that store the same content at the same moment, one is first for all', {
  skip: engine.skip ?? false,
}, async () => {
  const client = await connectRedis(redisConfig.parse({ url: engine.url }))
  try {
    const prefix = `t${randomBytes(6).toString('hex')}`
    const stored = new Map([['known', url('stored')]])
    const records = {
      findByContent: async (hash: string) => stored.get(hash),
      get: async () => undefined,
    } as Partial<RecordStore> as RecordStore
    const workers = Array.from({ length: 5 }, () => claimingContents(records, { client, prefix, crawl: 'c', clock }))
    const answers = await Promise.all(workers.map((worker, n) => worker.findByContent('new', url(`${n}`))))
    const first = answers.indexOf(undefined)
    assert.deepEqual(
      answers.filter((_, n) => n !== first),
      Array(4).fill(url(`${first}`)),
    )
    assert.equal(await workers[0]!.findByContent('new', url(`${first}`)), url(`${first}`), 'asked again, it is itself')
    assert.equal(await workers[0]!.findByContent('known', url('other')), url('stored'))
    assert.equal(await workers[0]!.findByContent('never'), undefined, 'who only asks claims nothing')
    assert.equal(await workers[1]!.findByContent('never', url('x')), undefined)
  } finally {
    client.disconnect()
  }
})

test('a claim lasts for its life, and is forgotten after two of them, with all that was claimed then', {
  skip: engine.skip ?? false,
}, async () => {
  const client = (await connectRedis(redisConfig.parse({ url: engine.url }))) as Redis
  try {
    const prefix = `t${randomBytes(6).toString('hex')}`
    const records = { findByContent: async () => undefined } as Partial<RecordStore> as RecordStore
    const claiming = claimingContents(records, { client, prefix, crawl: 'c', clock })
    const key = (name: string) => `{${prefix}:content:c}:${name}`
    const lifeGoesBy = async () => client.decrby(key('turned'), 600_001)
    assert.equal(await claiming.findByContent('a', url('1')), undefined)
    await lifeGoesBy()
    assert.equal(await claiming.findByContent('b', url('2')), undefined)
    assert.equal(await claiming.findByContent('a', url('3')), url('1'), 'it was young a moment ago')
    await lifeGoesBy()
    assert.equal(await claiming.findByContent('a', url('4')), undefined)
    assert.equal(await claiming.findByContent('b', url('5')), url('2'))
    for (const name of ['turned', 'young', 'old']) assert.ok((await client.pttl(key(name))) > 0, `${name} has an end`)
  } finally {
    client.disconnect()
  }
})

test('a page that others were stored as copies of does not become a copy of them', {
  skip: engine.skip ?? false,
}, async () => {
  const client = await connectRedis(redisConfig.parse({ url: engine.url }))
  try {
    // The worker that claimed the content for `first` died before it could store it, and another came between.
    const copy = { url: url('copy'), duplicateOf: url('first') } as Partial<UrlRecord> as UrlRecord
    const records = {
      findByContent: async () => copy.url,
      get: async (asked: string) => (asked === copy.url ? copy : undefined),
    } as Partial<RecordStore> as RecordStore
    const prefix = `t${randomBytes(6).toString('hex')}`
    const claiming = claimingContents(records, { client, prefix, crawl: 'c', clock })
    assert.equal(await claiming.findByContent('same', url('first')), undefined)
    assert.equal(await claiming.findByContent('same', url('third')), copy.url)
  } finally {
    client.disconnect()
  }
})
