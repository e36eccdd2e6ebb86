import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { alertsConfig } from '../config.ts'
import { alertmanager } from './alertmanager.ts'
import { failing, startMailbox } from './news.fixture.ts'
import { openNotifiers } from './open-notifiers.ts'
import { slack } from './slack.ts'
import { webhook } from './webhook.ts'

test('a webhook gets the alert as JSON, signed with its moment', async () => {
  await using mailbox = await startMailbox()
  await webhook({ url: `${mailbox.url}/hook?a=1`, secret: 'key', mayBePrivate: true }).tell(failing)
  const [{ path, headers, body }] = mailbox.letters as [(typeof mailbox.letters)[0]]
  assert.equal(path, '/hook?a=1')
  const [, seconds, hex] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-orbweaver-signature']))!
  assert.equal(seconds, '1700000060')
  assert.equal(hex, createHmac('sha256', 'key').update(`${seconds}.${body}`).digest('hex'))
  const { alert, value, since, text } = JSON.parse(body)
  assert.deepEqual([alert, value, since], ['fetch-failing', 0.61234, '2023-11-14T22:13:20.000Z'])
  assert.match(text, /fetchSuccess is 0.612, the limit is at least 0.8/)
})

test('a webhook at a private address is not posted to, by number or by name', async () => {
  await using mailbox = await startMailbox()
  for (const url of [mailbox.url, mailbox.url.replace('127.0.0.1', 'localhost'), 'http://[::ffff:10.0.0.1]/'])
    await assert.rejects(webhook({ url, secret: undefined, mayBePrivate: false }).tell(failing), /not a public address/)
  assert.deepEqual(mailbox.letters, [])
})

test('a redirect is not followed, and no success', async () => {
  await using mailbox = await startMailbox(302)
  await assert.rejects(
    webhook({ url: mailbox.url, secret: undefined, mayBePrivate: true }).tell(failing),
    /answers 302/,
  )
})

test('what is told to Slack cannot become markup', async () => {
  await using mailbox = await startMailbox()
  await slack({ url: mailbox.url, mayBePrivate: true }).tell(failing)
  const { text } = JSON.parse(mailbox.letters[0]!.body)
  assert.match(text, /^\*Critical: Many requests fail\*\n.*&lt;b&gt;no answer&lt;\/b&gt;/)
})

test('Alertmanager gets what API v2 asks for, and an end that has come when the alert is over', async () => {
  await using mailbox = await startMailbox()
  const there = alertmanager({ url: `${mailbox.url}/`, repeatMs: 1000 })
  await there.tell(failing)
  await there.tell({ ...failing, kind: 'resolved' })
  assert.equal(mailbox.letters[0]!.path, '/api/v2/alerts')
  const [first, second] = mailbox.letters.map(({ body }) => JSON.parse(body)[0])
  assert.deepEqual(first.labels, { alertname: 'fetch-failing', severity: 'critical', service: 'orbweaver' })
  assert.ok(Date.parse(first.endsAt) > failing.at)
  assert.equal(Date.parse(second.endsAt), failing.at)
  assert.equal(first.startsAt, second.startsAt)
})

test('settings that cannot work are refused by name', () => {
  const refused = (settings: object, message: RegExp) =>
    assert.throws(() => openNotifiers(alertsConfig.parse(settings)), message)
  refused({ smtpUrl: 'smtp://mail.example:587' }, /mailFrom and mailTo/)
  refused(
    { smtpUrl: 'smtp://u:secret@mail.example', mailFrom: 'a@b.example', mailTo: ['c@d.example'] },
    /smtpPasswordFile/,
  )
  refused({ webhookSecretFile: '/no/such/file' }, /Secret file \/no\/such\/file cannot be read/)
})

test('secrets come from files, and no notifier shows them', () => {
  const folder = mkdtempSync(join(tmpdir(), 'secrets-'))
  try {
    const slackUrlFile = join(folder, 'slack')
    writeFileSync(slackUrlFile, 'https://hooks.example/services/T0/SECRET\n')
    const [one] = openNotifiers(alertsConfig.parse({ slackUrlFile }))
    assert.equal(one!.name, 'chat at hooks.example')
  } finally {
    rmSync(folder, { recursive: true })
  }
})
