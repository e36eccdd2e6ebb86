import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { freePorts } from '../../../scripts/engines/free-ports.ts'
import { ownEngine, startKafka } from '../../../test/engines.ts'
import { systemClock } from '../../clock.ts'
import { UsageError } from '../../config/usage-error.ts'
import { type Certificates, makeCertificates } from '../certificates.fixture.ts'
import { checkKafka } from './check.ts'
import { kafkaConfig } from './config.ts'
import { connectKafka } from './connect.ts'

/** Beside its open door a broker has one with TLS and log-in, and one for those whom it knows by certificate. */
function guarded({ folder, keyFile, certificateFile, caFile }: Certificates, ports: readonly number[]): string[] {
  const [open, controller, login, known] = ports.map((port) => `127.0.0.1:${port}`)
  const identity = join(folder, 'identity.pem')
  writeFileSync(identity, readFileSync(keyFile, 'utf8') + readFileSync(certificateFile, 'utf8'))
  return [
    `listeners=PLAINTEXT://${open},CONTROLLER://${controller},LOGIN://${login},KNOWN://${known}`,
    `advertised.listeners=PLAINTEXT://${open},LOGIN://${login},KNOWN://${known}`,
    `controller.quorum.voters=1@${controller}`,
    'listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,LOGIN:SASL_SSL,KNOWN:SSL',
    'sasl.enabled.mechanisms=PLAIN',
    'listener.name.login.plain.sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required ' +
      'username="broker" password="b" user_broker="b" user_crawler="Hidden-password";',
    ...['ssl.keystore.type=PEM', `ssl.keystore.location=${identity}`],
    ...['ssl.truststore.type=PEM', `ssl.truststore.location=${caFile}`],
    'listener.name.known.ssl.client.auth=required',
  ]
}

test('Kafka by TLS, for those it knows by password or certificate', async (t) => {
  using certificates = makeCertificates()
  const ports = await freePorts(4)
  const [open, , login, known] = ports.map((port) => [`127.0.0.1:${port}`])
  const settings = guarded(certificates, ports)
  await using broker = await ownEngine(t, () => startKafka({ port: ports[0]!, settings }))
  if (!broker) return
  const { caFile, strangeCaFile, certificateFile, keyFile } = certificates
  const byPassword = { brokers: login, caFile, saslMechanism: 'PLAIN', user: 'crawler', password: 'Hidden-password' }
  const byCertificate = { brokers: known, caFile, certificateFile, keyFile }

  await t.test('all that a crawl does can be done', async () => {
    for (const right of [byPassword, byCertificate]) {
      await using kafka = await connectKafka(kafkaConfig.parse(right))
      await checkKafka(kafka, systemClock())
    }
  })

  const faults: [name: string, settings: object, sentence: RegExp][] = [
    [
      'a wrong password',
      { ...byPassword, password: 'Hidden-guess' },
      /it refuses user or password \(engines\.kafka\.user/,
    ],
    ['an unknown user', { ...byPassword, user: 'nobody' }, /it refuses user or password \(engines\.kafka\.user/],
    [
      'another way to log in',
      { ...byPassword, saslMechanism: 'SCRAM-SHA-256' },
      /\(engines\.kafka\.saslMechanism\)\.$/,
    ],
    [
      'no log-in',
      { ...byPassword, saslMechanism: 'none' },
      /it may want .*a log-in \(engines\.kafka\.saslMechanism\)\.$/,
    ],
    ['a log-in where none is', { ...byPassword, brokers: open, caFile: '' }, /does not expect a log-in here/],
    [
      'another authority',
      { ...byPassword, caFile: strangeCaFile },
      /is not trusted \(name .* engines\.kafka\.caFile\)\.$/,
    ],
    ['no authority', { ...byPassword, caFile: '', tls: true }, /is not trusted \(name .* engines\.kafka\.caFile\)\.$/],
    ['no TLS', { ...byPassword, caFile: '' }, /it may want TLS \(engines\.kafka\.tls, \.caFile\)\.$/],
    ['TLS where none is', { ...byPassword, brokers: open }, /it does not speak TLS \(engines\.kafka\.tls/],
    [
      'no certificate',
      { brokers: known, caFile },
      /it may want a certificate of ours \(engines\.kafka\.certificateFile/,
    ],
    ['no file', { ...byPassword, passwordFile: '/nowhere' }, /^engines\.kafka\.passwordFile cannot be read: ENOENT/],
    ['an empty file', { ...byPassword, caFile: '/dev/null' }, /^engines\.kafka\.caFile holds no certificate in PEM/],
  ]
  for (const [name, wrong, sentence] of faults)
    await t.test(`${name}: one sentence, without secrets`, async () => {
      await assert.rejects(connectKafka(kafkaConfig.parse(wrong)), (error: Error) => {
        assert.ok(error instanceof UsageError, String(error))
        assert.match(error.message, sentence)
        assert.match(error.message, /^[^\n]*[^.]\.$/)
        assert.doesNotMatch(inspect(error, { depth: 20, showHidden: true }), /Hidden/)
        return true
      })
    })
})
