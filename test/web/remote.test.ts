import assert from 'node:assert/strict'
import { Resolver } from 'node:dns/promises'
import { access, readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { startRemoteWeb } from './remote.ts'

test('a web in a process of its own can be asked and moved in time, and leaves nothing behind', async () => {
  const options = { hosts: [{ character: 'changing', name: 'news', pages: 8 }] }
  const web = await startRemoteWeb(['--options', JSON.stringify(options), '--seed', 'mine', '--prepared'])
  assert.equal(web.seed, 'mine')
  assert.match(await readFile(web.caFile, 'utf8'), /BEGIN CERTIFICATE/)

  const resolver = new Resolver()
  resolver.setServers([web.dns])
  const [address] = await resolver.resolve4('news.test')
  await fetch(`http://${address}:${web.httpPort}/`)
  const [entry] = await web.log()
  assert.equal(entry?.target, '/')
  assert.deepEqual(await web.log('elsewhere.test'), [])

  const before = await web.expected()
  await web.advance(3 * 86_400_000)
  const after = await web.expected()
  assert.equal(Object.keys(after.pages).length, Object.keys(before.pages).length)
  assert.equal(before.excluded[`${web.seeds[0]}newcomer`], 'not-yet')
  assert.ok(after.pages[`${web.seeds[0]}newcomer`])
  assert.deepEqual(await web.violations(), { robots: [], rate: [] })
  assert.deepEqual((await web.counts()).dns, { 'news.test': 1 })
  assert.equal((await fetch(`${web.control}/nothing`)).status, 404)

  await web[Symbol.asyncDispose]()
  await assert.rejects(access(web.caFile), { code: 'ENOENT' })
  assert.throws(() => process.kill(web.pid, 0), { code: 'ESRCH' })
})

test('an unknown preset is refused by name', async () => {
  await assert.rejects(startRemoteWeb(['--preset', 'huge']), /did not start with --preset huge/)
})
