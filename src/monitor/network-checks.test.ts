import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Resolution } from '../dns/resolver.ts'
import { checkNetwork, checksInWords } from './network-checks.ts'

const hosts = ['a.example', 'b.example', 'c.example'].map((host) => ({ host, port: 443 }))
const found: Resolution = { kind: 'resolved', addresses: [{ address: '192.0.2.1', family: 4 }], ttlMs: 1000 }
const silent: Resolution = { kind: 'failed', detail: 'timeout', ttlMs: 1000 }
const resolving = (answer: (host: string) => Resolution) => ({ resolve: async (host: string) => answer(host) })

test('name servers that do not answer are told apart from a network that does not carry', async () => {
  const knock = () => Promise.reject(new Error('unreachable'))
  const [names, network] = await checkNetwork({ resolver: resolving(() => silent), hosts, knock })
  assert.deepEqual([names!.ok, network!.says], [false, 'there was nothing to try it with'])
  const checks = await checkNetwork({ resolver: resolving(() => found), hosts, knock })
  assert.deepEqual(
    checks.map(({ ok }) => ok),
    [true, false],
  )
  assert.equal(
    checksInWords(checks),
    'Checked, and at fault: Network (3 of 3 could not be reached, such as a.example).',
  )
})

test('one host that is away is its own trouble', async () => {
  const resolver = resolving((host) => (host === 'a.example' ? silent : found))
  const checks = await checkNetwork({ resolver, hosts, knock: async () => {} })
  assert.equal(checksInWords(checks), 'Checked, and well: Names (DNS), Network.')
})
