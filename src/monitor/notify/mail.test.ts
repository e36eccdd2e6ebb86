import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { test } from 'node:test'
import { TLSSocket } from 'node:tls'
import { createAuthority } from '../../../test/web/tls/authority.ts'
import { letter, mail, smtpServer } from './mail.ts'
import { failing } from './news.fixture.ts'

interface Habits {
  readonly startTls: boolean
  readonly auth: string
  readonly refuses?: string
}

/** A mail server that writes down what it is told, and over which kind of connection. */
async function startMailServer({ startTls, auth, refuses }: Habits) {
  const authority = createAuthority(Date.now())
  const heard: { line: string; isEncrypted: boolean }[] = []
  const sockets = new Set<Socket>()

  function serve(socket: Socket, isEncrypted: boolean): void {
    let [buffer, isLetter, logins] = ['', false, 0]
    const say = (line: string) => socket.write(`${line}\r\n`)
    const answer = (line: string) => {
      if (isLetter) {
        if (line === '.') isLetter = false
        return line === '.' ? say('250 queued') : undefined
      }
      if (refuses && line.startsWith(refuses)) return say('550 5.7.1 no such thing')
      if (logins > 0) return say(--logins > 0 ? '334 UGFzc3dvcmQ6' : '235 welcome')
      if (line.startsWith('EHLO')) {
        say('250-test')
        if (startTls && !isEncrypted) say('250-STARTTLS')
        return say(`250 AUTH ${auth}`)
      }
      if (line === 'STARTTLS') {
        say('220 go ahead')
        socket.removeAllListeners('data')
        const context = authority.contextOf('localhost', 'good')
        return serve(new TLSSocket(socket, { isServer: true, secureContext: context }), true)
      }
      if (line === 'AUTH LOGIN') {
        logins = 2
        return say('334 VXNlcm5hbWU6')
      }
      if (line.startsWith('AUTH PLAIN')) return say('235 welcome')
      if (line === 'DATA') {
        isLetter = true
        return say('354 go on')
      }
      return say(line === 'QUIT' ? '221 bye' : '250 ok')
    }
    socket.on('error', () => socket.destroy())
    socket.on('data', (data) => {
      buffer += data
      for (let end = buffer.indexOf('\r\n'); end >= 0; end = buffer.indexOf('\r\n')) {
        const line = buffer.slice(0, end)
        buffer = buffer.slice(end + 2)
        heard.push({ line, isEncrypted })
        answer(line)
      }
    })
  }

  const server = createServer((socket) => {
    sockets.add(socket)
    socket.write('220 test ready\r\n')
    serve(socket, false)
  })
  server.listen(0, 'localhost')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    heard,
    server: { ...smtpServer(`smtp://user%40example@localhost:${port}`, 'pass'), ca: authority.certificate },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

const people = { from: 'Crawler <crawler@example.org>', to: ['a@example.org', 'B <b@example.org>'] }

test('a letter goes out over an encrypted connection, and nothing of it before', async () => {
  await using there = await startMailServer({ startTls: true, auth: 'PLAIN LOGIN' })
  await mail({ server: there.server, ...people }).tell(failing)
  const plain = there.heard.filter(({ isEncrypted }) => !isEncrypted).map(({ line }) => line)
  assert.deepEqual(plain, ['EHLO orbweaver', 'STARTTLS'])
  const lines = there.heard.slice(2).map(({ line }) => line)
  const login = Buffer.from('\0user@example\0pass').toString('base64')
  assert.deepEqual(lines.slice(0, 5), [
    'EHLO orbweaver',
    `AUTH PLAIN ${login}`,
    'MAIL FROM:<crawler@example.org>',
    'RCPT TO:<a@example.org>',
    'RCPT TO:<b@example.org>',
  ])
  assert.ok(lines.includes('Subject: [orbweaver] Critical: Many requests fail'))
  assert.equal(lines.at(-1), 'QUIT')
})

test('a server that knows only LOGIN is logged in to as well', async () => {
  await using there = await startMailServer({ startTls: true, auth: 'LOGIN' })
  await mail({ server: there.server, ...people }).tell(failing)
  assert.ok(there.heard.some(({ line }) => line === Buffer.from('pass').toString('base64')))
})

test('a server elsewhere that offers no encryption gets neither password nor letter', async () => {
  await using there = await startMailServer({ startTls: false, auth: 'PLAIN' })
  // The same server by an address that is not known to be this machine.
  await assert.rejects(mail({ server: { ...there.server, host: '0.0.0.0' }, ...people }).tell(failing), /STARTTLS/)
  assert.deepEqual(
    there.heard.map(({ line }) => line),
    ['EHLO orbweaver'],
  )
})

test('what the server refuses is told with its words, and without the password', async () => {
  await using there = await startMailServer({ startTls: true, auth: 'PLAIN', refuses: 'AUTH PLAIN' })
  await assert.rejects(mail({ server: there.server, ...people }).tell(failing), (error: Error) => {
    assert.match(error.message, /answers 550 5.7.1 no such thing to AUTH PLAIN$/)
    return true
  })
})

test('nothing that is told can add a header, a recipient or an end of the letter', () => {
  const text = letter({ ...failing, rule: { ...failing.rule, title: 'x\r\nBcc: evil@example.org' } }, 'a@b.c', [
    'd@e.f',
  ])
  const [head] = text.split('\r\n\r\n')
  assert.doesNotMatch(head!, /^Bcc:/m)
  assert.doesNotMatch(text, /^\.$/m)
})
