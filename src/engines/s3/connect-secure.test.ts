import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { ownEngine, startS3 } from '../../../test/engines.ts'
import { systemClock } from '../../clock.ts'
import { UsageError } from '../../config/usage-error.ts'
import { makeCertificates } from '../certificates.fixture.ts'
import { s3Config } from './config.ts'
import { connectS3 } from './connect.ts'
import { objectStore } from './objects.ts'

const bucket = 'pages'

async function fails(settings: object, sentence: RegExp): Promise<void> {
  await assert.rejects(connectS3(s3Config.parse(settings)), (error: Error) => {
    assert.ok(error instanceof UsageError, String(error))
    assert.match(error.message, sentence)
    assert.match(error.message, /^[^\n]*[^.]\.$/)
    assert.doesNotMatch(inspect(error, { depth: 20, showHidden: true }), /testtest|Hidden/)
    return true
  })
}

test('S3 by TLS: objects come and go, each fault is one sentence', async (t) => {
  using certificates = makeCertificates()
  await using s3 = await ownEngine(t, () => startS3({ tls: certificates, buckets: [bucket] }))
  if (!s3) return
  const { caFile, strangeCaFile } = certificates
  const endpoint = s3.url
  const settings = { endpoint, bucket, caFile, forcePathStyle: true }

  using connection = await connectS3(s3Config.parse(settings), 'write', systemClock())
  const objects = objectStore(connection)
  await objects.put('k', Buffer.from('value'))
  assert.equal(String(await objects.get('k')), 'value')

  const untrusted = /its certificate is not trusted \(name its authority in engines\.s3\.caFile\)\.$/
  await fails({ ...settings, caFile: '' }, untrusted)
  await fails({ ...settings, caFile: strangeCaFile }, untrusted)
  await fails({ ...settings, caFile: '/nowhere/ca.pem' }, /^engines\.s3\.caFile cannot be read: ENOENT/)
  await fails({ ...settings, caFile: '/dev/null' }, /^engines\.s3\.caFile holds no certificate in PEM/)
  await fails(
    { ...settings, endpoint: endpoint.replace('https', 'http') },
    /it may want https:\/\/ in engines\.s3\.endpoint/,
  )

  const refused = /refuses the access key \(engines\.s3\.accessKeyId, \.secretAccessKey\) or what it may do/
  await fails({ ...settings, endpoint: endpoint.replace(':testtest', ':Hidden') }, refused)
  await fails({ ...settings, endpoint: endpoint.replace('test:testtest', 'nobody:Hidden') }, refused)
  await fails(
    { ...settings, secretAccessKeyFile: '/nowhere/secret' },
    /^engines\.s3\.secretAccessKeyFile cannot be read/,
  )
  await fails({ ...settings, endpoint: endpoint.replace(':testtest', ':Hidden%') }, /^engines\.s3\.endpoint has a "%"/)

  await t.test('a clock that is wrong by an hour is told from wrong keys', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 3_600_000 })
    await fails(
      settings,
      /refuses what this machine asks, whose clock is 60 minutes ahead of its own: set it by NTP\.$/,
    )
  })
})

test('S3 that does not speak TLS is told', async (t) => {
  await using s3 = await ownEngine(t, () => startS3({ buckets: [bucket] }))
  if (!s3) return
  const endpoint = s3.url.replace('http', 'https')
  await fails(
    { endpoint, bucket, forcePathStyle: true },
    /it does not speak TLS \(http:\/\/ in engines\.s3\.endpoint\)/,
  )
})
