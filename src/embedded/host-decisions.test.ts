import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openHostDecisions } from './host-decisions.ts'

function scratch(): { path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), 'orbweaver-hosts-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

test('decisions outlive the process, and the most specific counts', async () => {
  using folder = scratch()
  const decisions = openHostDecisions(folder.path)
  await decisions.set('*.test', { delayMs: 1000, pause: true })
  await decisions.set('a.test', { pause: false, note: 'is fine' })
  const again = openHostDecisions(folder.path)
  assert.deepEqual(again.for('a.test'), { delayMs: 1000, pause: false, note: 'is fine' })
  assert.deepEqual(again.for('b.test'), { delayMs: 1000, pause: true })
  assert.deepEqual(again.for('elsewhere.org'), {})
  assert.deepEqual(
    (await again.list()).map(({ host }) => host),
    ['*.test', 'a.test'],
  )
  assert.equal(await again.remove('a.test'), true)
  assert.equal(await again.remove('a.test'), false)
  assert.deepEqual(openHostDecisions(folder.path).for('a.test'), { delayMs: 1000, pause: true })
})

test('what is no host, and a file that is damaged, are told', async () => {
  using folder = scratch()
  await assert.rejects(openHostDecisions(folder.path).set('No Host', {}), /is not a host name/)
  for (const text of ['{', '{"a.test":{"delay":1}}', '[]']) {
    writeFileSync(join(folder.path, 'hosts.json'), text)
    assert.throws(() => openHostDecisions(folder.path), /hosts\.json is damaged/)
  }
})
