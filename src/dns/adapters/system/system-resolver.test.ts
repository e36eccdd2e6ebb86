import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type DnsConfig, dnsConfig } from '../../config.ts'
import { type NameServer, startNameServer } from './name-server.fixture.ts'
import { systemResolver } from './system-resolver.ts'

describe('system resolver', () => {
  let server: NameServer
  before(async () => {
    server = await startNameServer({
      'both.test': { a: ['192.0.2.1', '192.0.2.2'], aaaa: ['2001:db8:0:0:0:0:0:1'], ttlSeconds: 300 },
      'four.test': { a: ['192.0.2.4'], ttlSeconds: 7 },
      'six.test': { aaaa: ['2001:db8:0:0:0:0:0:6'], ttlSeconds: 7 },
      'empty.test': { ttlSeconds: 7 },
      'broken.test': 'server-failure',
      'refused.test': 'refused',
      'silent.test': 'silence',
      intranet: { a: ['192.0.2.9'], ttlSeconds: 7 },
    })
  })
  after(() => server[Symbol.asyncDispose]())

  const resolver = (changes: Partial<DnsConfig> = {}) =>
    systemResolver({ ...dnsConfig.parse({}), servers: [server.address], queryTimeoutMs: 300, tries: 1, ...changes })

  test('addresses of both families come with the shortest lifetime among them', async () => {
    await using dns = resolver()
    const resolution = await dns.resolve('both.test')
    assert.equal(resolution.kind, 'resolved')
    if (resolution.kind !== 'resolved') return
    assert.deepEqual(resolution.addresses.map(({ address }) => address).sort(), [
      '192.0.2.1',
      '192.0.2.2',
      '2001:db8::1',
    ])
    assert.deepEqual(resolution.addresses.map(({ family }) => family).sort(), [4, 4, 6])
    assert.equal(resolution.ttlMs, 300_000)
  })

  test('one family is enough', async () => {
    await using dns = resolver()
    assert.deepEqual(await dns.resolve('four.test'), {
      kind: 'resolved',
      addresses: [{ address: '192.0.2.4', family: 4 }],
      ttlMs: 7000,
    })
    assert.deepEqual(await dns.resolve('six.test'), {
      kind: 'resolved',
      addresses: [{ address: '2001:db8::6', family: 6 }],
      ttlMs: 7000,
    })
  })

  test('a name that does not exist, or has no address, is not found', async () => {
    await using dns = resolver()
    for (const name of ['missing.test', 'empty.test'])
      assert.deepEqual(
        { ...(await dns.resolve(name)), detail: '' },
        { kind: 'not-found', detail: '', ttlMs: 300_000 },
        name,
      )
  })

  test('a server that fails, refuses or stays silent is a failure, which may heal', async () => {
    await using dns = resolver()
    for (const name of ['broken.test', 'refused.test', 'silent.test'])
      assert.deepEqual({ ...(await dns.resolve(name)), detail: '' }, { kind: 'failed', detail: '', ttlMs: 5000 }, name)
  })

  test('a server that is not there is a failure', async () => {
    await using dns = resolver({ servers: ['127.0.0.1:1'] })
    assert.equal((await dns.resolve('both.test')).kind, 'failed')
  })

  test('an address answers itself', async () => {
    await using dns = resolver()
    for (const [host, address, family] of [
      ['192.0.2.7', '192.0.2.7', 4],
      ['2001:db8::7', '2001:db8::7', 6],
      ['[2001:db8::7]', '2001:db8::7', 6],
    ] as const) {
      const resolution = await dns.resolve(host)
      assert.deepEqual(resolution.kind === 'resolved' && resolution.addresses, [{ address, family }], host)
    }
  })

  test('localhost is left to the system, also when servers are named', async () => {
    await using dns = resolver()
    const resolution = await dns.resolve('localhost')
    assert.equal(resolution.kind, 'resolved')
    assert.equal(resolution.ttlMs, 60_000)
    assert.ok(!server.asked.some((question) => question.includes('localhost')))
  })

  test('named servers are asked for single-label names too', async () => {
    await using dns = resolver()
    assert.equal((await dns.resolve('intranet')).kind, 'resolved')
  })

  test('text that cannot be a host name is not found and asked of nobody', async () => {
    await using dns = resolver()
    const questions = server.asked.length
    for (const name of [
      '',
      '.',
      'a..b',
      'a b',
      'a\0b.test',
      `${'a'.repeat(64)}.test`,
      'a.'.repeat(200),
      'ü.test',
      '-'.repeat(300),
    ])
      assert.equal((await dns.resolve(name)).kind, 'not-found', name)
    assert.equal(server.asked.length, questions)
  })

  test('closing it ends questions under way', async () => {
    const dns = resolver({ queryTimeoutMs: 60_000 })
    const question = dns.resolve('silent.test')
    await dns[Symbol.asyncDispose]()
    assert.equal((await question).kind, 'failed')
  })
})
