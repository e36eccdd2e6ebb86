import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { describe, it, test } from 'node:test'
import { CreateBucketCommand } from '@aws-sdk/client-s3'
import { engineFor } from '../../../test/engines.ts'
import { systemClock } from '../../clock.ts'
import { s3Config } from './config.ts'
import { s3Connection } from './connect.ts'
import { publish, putStream, unfinishedUploads } from './multipart.ts'
import { objectStore, parseS3Url } from './objects.ts'

const { url = null, skip = false } = engineFor('s3')
const MIB = 1024 * 1024

async function newStore() {
  const bucket = `orbweaver-test-${randomUUID()}`
  const settings = { endpoint: url, forcePathStyle: true, bucket, prefix: 'some/prefix/' }
  const connection = s3Connection(s3Config.parse(settings), systemClock())
  await connection.client.send(new CreateBucketCommand({ Bucket: bucket }))
  return objectStore(connection)
}

const bytesPart = (bytes: Buffer | undefined) => ({ kind: 'bytes', read: async () => bytes }) as const

describe('objects in S3', { skip }, () => {
  it('are put, read whole, by range and as a stream, and removed', async () => {
    const objects = await newStore()
    const bytes = randomBytes(9 * MIB)
    await objects.put('a/b=c/d e.bin', bytes)
    assert.ok((await objects.get('a/b=c/d e.bin'))?.equals(bytes))
    assert.ok((await objects.getRange('a/b=c/d e.bin', 1000, 50))?.equals(bytes.subarray(1000, 1050)))
    assert.ok(Buffer.concat(await Array.fromAsync(objects.stream('a/b=c/d e.bin', 7))).equals(bytes.subarray(7)))
    assert.equal((await objects.head('a/b=c/d e.bin'))?.bytes, bytes.length)
    await objects.remove('a/b=c/d e.bin')
    await objects.remove('a/b=c/d e.bin')
    assert.equal(await objects.head('a/b=c/d e.bin'), undefined)
  })

  it('that are not there, or end before, are undefined', async () => {
    const objects = await newStore()
    await objects.put('short', Buffer.from('abc'))
    assert.equal(await objects.get('none'), undefined)
    assert.equal(await objects.getRange('none', 0, 1), undefined)
    assert.equal(await objects.getRange('short', 2, 2), undefined)
    assert.equal(await objects.getRange('short', 10, 2), undefined)
    assert.deepEqual(await Array.fromAsync(objects.stream('none')), [])
  })

  it('are listed in order, behind a key, up to a limit, and beyond one page', async () => {
    const objects = await newStore()
    const keys = Array.from({ length: 1010 }, (_, i) => `l/${String(i).padStart(4, '0')}`)
    for (let i = 0; i < keys.length; i += 101)
      await Promise.all(keys.slice(i, i + 101).map((key) => objects.put(key, Buffer.from('x'))))
    const listed = async (after?: string, limit?: number) => {
      const range = { ...(after ? { after } : {}), ...(limit ? { limit } : {}) }
      return (await Array.fromAsync(objects.list('l/', range))).map(({ key }) => key)
    }
    assert.deepEqual(await listed(), keys)
    assert.deepEqual(await listed('l/0500', 2), ['l/0501', 'l/0502'])
    assert.deepEqual(await listed('l/0000', 1005), keys.slice(1, 1006))
  })

  it('are made of a stream, without holding it in memory', async () => {
    const objects = await newStore()
    const pieces = Array.from({ length: 13 }, () => randomBytes(MIB))
    const source = async function* () {
      yield* pieces
    }
    assert.equal(await putStream(objects.connection, 'stream', source()), 13 * MIB)
    assert.ok((await objects.get('stream'))?.equals(Buffer.concat(pieces)))
    const empty = async function* (): AsyncGenerator<Buffer> {}
    assert.equal(await putStream(objects.connection, 'empty', empty()), 0)
    assert.equal((await objects.get('empty'))?.length, 0)
  })

  it('leave nothing behind when their stream breaks', async () => {
    const objects = await newStore()
    const broken = async function* () {
      yield randomBytes(MIB)
      throw new Error('broken off')
    }
    await assert.rejects(putStream(objects.connection, 'broken', broken()), /broken off/)
    assert.equal(await objects.head('broken'), undefined)
    assert.deepEqual(await Array.fromAsync(unfinishedUploads(objects.connection, '')), [])
  })
})

describe('publishing to S3', { skip }, () => {
  it('replaces only what it was told to', async () => {
    const objects = await newStore()
    const write = (text: string, replaces: Parameters<typeof publish>[3]) =>
      publish(objects.connection, 'k', [bytesPart(Buffer.from(text))], replaces)
    assert.equal(await write('first', 'nothing'), 'published')
    assert.equal(await write('second', 'nothing'), 'contested')
    const { etag } = (await objects.head('k'))!
    assert.equal(await write('third', { etag }), 'published')
    assert.equal(await write('fourth', { etag }), 'contested')
    assert.equal((await objects.get('k'))?.toString(), 'third')
    assert.deepEqual(await Array.fromAsync(unfinishedUploads(objects.connection, '')), [])
  })

  it('is contested when what it is made of has vanished', async () => {
    const { connection } = await newStore()
    const copy = { kind: 'copy', key: 'none', offset: 0, length: 5 } as const
    assert.equal(await publish(connection, 'k', [copy], 'nothing'), 'contested')
    assert.equal(await publish(connection, 'k', [bytesPart(undefined)], 'nothing'), 'contested')
  })
})

test('an address of S3 names bucket and prefix', () => {
  assert.deepEqual(parseS3Url('s3://b'), { bucket: 'b', prefix: '' })
  assert.deepEqual(parseS3Url('s3://b/x/y'), { bucket: 'b', prefix: 'x/y/' })
  assert.deepEqual(parseS3Url('s3://b/x/'), { bucket: 'b', prefix: 'x/' })
  for (const text of ['', 's3://', 's3:///x', 'http://b/x', '/tmp/x']) assert.equal(parseS3Url(text), undefined)
})
