import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, test } from 'node:test'
import { CreateBucketCommand } from '@aws-sdk/client-s3'
import { engineFor } from '../../../test/engines.ts'
import { systemClock } from '../../clock.ts'
import { s3Config } from './config.ts'
import { connectS3, placeOf, s3Connection } from './connect.ts'
import { FaultyProxy } from './faulty-proxy.fixture.ts'
import { objectStore } from './objects.ts'

const { url = 'http://a:b@127.0.0.1', skip = false } = engineFor('s3')

const settings = (changes: object = {}) =>
  s3Config.parse({ endpoint: url, forcePathStyle: true, bucket: 'nowhere', ...changes })

async function newBucket(): Promise<string> {
  const bucket = `orbweaver-test-${randomUUID()}`
  using connection = s3Connection(settings({ bucket }), systemClock())
  await connection.client.send(new CreateBucketCommand({ Bucket: bucket }))
  return bucket
}

const refused = (message: RegExp) => ({ name: 'UsageError', message })

describe('connecting to S3', { skip }, () => {
  it('checks that the bucket can be written, and leaves nothing behind', async () => {
    using connection = await connectS3(settings({ bucket: await newBucket() }))
    assert.deepEqual(await Array.fromAsync(objectStore(connection).list('')), [])
  })

  it('takes keys from files', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'orbweaver-s3-'))
    const { origin, username, password } = new URL(url)
    const file = (name: string, text: string) => {
      writeFileSync(join(folder, name), `${text}\n`)
      return join(folder, name)
    }
    const keys = { accessKeyIdFile: file('id', username), secretAccessKeyFile: file('secret', password) }
    using _ = await connectS3(settings({ bucket: await newBucket(), endpoint: origin, ...keys }))
    rmSync(folder, { recursive: true })
  })

  it('says which bucket does not exist', async () => {
    await assert.rejects(connectS3(settings()), refused(/^S3 bucket nowhere at http:\S+ does not exist: create/))
  })

  it('says that the keys are refused, and never tells them', async () => {
    const endpoint = url.replace(/:[^:@/]*@/, ':wrong-secret@')
    const rejected = connectS3(settings({ bucket: await newBucket(), endpoint }))
    await assert.rejects(rejected, refused(/^S3 bucket \S+ at \S+ refuses the access key/))
    await assert.rejects(rejected, (error: Error) => !error.message.includes('wrong-secret'))
  })

  it('tells a bucket that may only be read', async () => {
    await using proxy = new FaultyProxy(url)
    const endpoint = await proxy.start()
    proxy.mishap = ({ method }) => (method === 'PUT' ? 'not-implemented' : 'none')
    const bucket = await newBucket()
    await assert.rejects(connectS3(settings({ bucket, endpoint })), refused(/can be read but cannot be written/))
    using _ = await connectS3(settings({ bucket, endpoint }), 'read')
  })

  it('tells a bucket from which nothing may be deleted', async () => {
    await using proxy = new FaultyProxy(url)
    const endpoint = await proxy.start()
    proxy.mishap = ({ method }) => (method === 'DELETE' ? 'not-implemented' : 'none')
    await assert.rejects(
      connectS3(settings({ bucket: await newBucket(), endpoint })),
      refused(/can be read but cannot have objects deleted/),
    )
  })
})

test('an S3 at which nobody answers is told in one sentence', async () => {
  await assert.rejects(
    connectS3(settings({ endpoint: 'http://a:b@127.0.0.1:9' })),
    refused(/^S3 bucket nowhere at http:\/\/127.0.0.1:9 cannot be used: .*ECONNREFUSED[^\n]*\.$/),
  )
})

test('wrong settings are refused by name', async () => {
  await assert.rejects(connectS3(settings({ bucket: '' })), refused(/engines\.s3\.bucket/))
  await assert.rejects(connectS3(settings({ endpoint: 'ftp://x' })), refused(/engines\.s3\.endpoint/))
  await assert.rejects(
    connectS3(settings({ endpoint: 'http://127.0.0.1', accessKeyId: 'a' })),
    refused(/both engines\.s3\.accessKeyId and engines\.s3\.secretAccessKey/),
  )
  await assert.rejects(connectS3(settings({ secretAccessKeyFile: '/no/such/file' })), refused(/\/no\/such\/file/))
  assert.throws(() => s3Config.parse({ prefix: '/x' }))
  assert.throws(() => s3Config.parse({ prefix: 'x' }))
})

test('secrets do not show in the name of the place', () => {
  const config = settings({ endpoint: 'https://id:very-secret@s3.example', bucket: 'b' })
  assert.equal(placeOf(config), 'S3 bucket b at https://s3.example')
})
