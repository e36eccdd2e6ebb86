import { once } from 'node:events'
import { connect as connectPlain, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { connect as connectTls } from 'node:tls'

export interface SmtpServer {
  readonly host: string
  readonly port: number
  /** From the first byte on; else by STARTTLS. */
  readonly isTls: boolean
  readonly user: string
  readonly password: string
  /** In place of the system's, for tests and for authorities of one's own. */
  readonly ca?: string
}

interface Reply {
  readonly code: number
  readonly lines: readonly string[]
}

const timeoutMs = 15_000

/**
 * One conversation with a mail server: as much of SMTP (RFC 5321) as sending one letter takes. Neither password nor
 * letter goes over a connection that is not encrypted, unless the server is this machine.
 */
export async function sendMail(server: SmtpServer, from: string, to: readonly string[], letter: string): Promise<void> {
  let talk = new Conversation(await opened(server))
  try {
    await talk.expect(220)
    let abilities = await talk.say('EHLO orbweaver', 250)
    if (!server.isTls && has(abilities, 'STARTTLS')) {
      await talk.say('STARTTLS', 220)
      talk = new Conversation(await encrypted(talk.release(), server))
      abilities = await talk.say('EHLO orbweaver', 250)
    } else if (!server.isTls && !isThisMachine(server.host)) {
      throw new Error(`${server.host} offers no encryption (STARTTLS)`)
    }
    if (server.user !== '') await logIn(talk, abilities, server)
    await talk.say(`MAIL FROM:<${address(from)}>`, 250)
    for (const one of to) await talk.say(`RCPT TO:<${address(one)}>`, 250)
    await talk.say('DATA', 354)
    await talk.say(`${stuffed(letter)}\r\n.`, 250)
    await talk.say('QUIT', 221)
  } finally {
    talk.release().destroy()
  }
}

async function logIn(talk: Conversation, abilities: Reply, { user, password, host }: SmtpServer): Promise<void> {
  const auth = abilities.lines.find((line) => /^AUTH[ =]/i.test(line))?.toUpperCase() ?? ''
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  if (auth.includes('PLAIN')) await talk.say(`AUTH PLAIN ${base64(`\0${user}\0${password}`)}`, 235, 'AUTH PLAIN')
  else if (auth.includes('LOGIN')) {
    await talk.say('AUTH LOGIN', 334)
    await talk.say(base64(user), 334, 'AUTH LOGIN')
    await talk.say(base64(password), 235, 'AUTH LOGIN')
  } else throw new Error(`${host} offers no way to log in that is known here (PLAIN, LOGIN)`)
}

class Conversation {
  readonly #socket: Socket
  readonly #lines: AsyncIterator<string>
  readonly #reader: ReturnType<typeof createInterface>

  constructor(socket: Socket) {
    this.#socket = socket
    this.#reader = createInterface({ input: socket })
    this.#lines = this.#reader[Symbol.asyncIterator]()
  }

  /** `shown`: in place of the order, in errors, where that is a secret. */
  async say(order: string, code: number, shown = order.split('\r\n', 1)[0]!): Promise<Reply> {
    this.#socket.write(`${order}\r\n`)
    return this.expect(code, shown)
  }

  async expect(code: number, after = 'connecting'): Promise<Reply> {
    const lines: string[] = []
    for (;;) {
      const { value: line, done } = await this.#lines.next()
      if (done) throw new Error(`the mail server closed the connection after ${after.slice(0, 80)}`)
      lines.push(line.slice(4, 500))
      if (lines.length > 100) throw new Error('the mail server says too much')
      if (line[3] === '-') continue
      const reply = { code: Number(line.slice(0, 3)), lines }
      // 251: accepted, and forwarded elsewhere.
      if (reply.code === code || (code === 250 && reply.code === 251)) return reply
      throw new Error(`the mail server answers ${line.slice(0, 200)} to ${after.slice(0, 80)}`)
    }
  }

  /** Ends reading here; the socket goes on. */
  release(): Socket {
    this.#reader.close()
    return this.#socket
  }
}

async function opened({ host, port, isTls, ca }: SmtpServer): Promise<Socket> {
  const socket = isTls ? connectTls({ host, port, servername: host, ...(ca && { ca }) }) : connectPlain({ host, port })
  await ready(socket, isTls ? 'secureConnect' : 'connect')
  return socket
}

async function encrypted(socket: Socket, { host, ca }: SmtpServer): Promise<Socket> {
  const secure = connectTls({ socket, servername: host, ...(ca && { ca }) })
  await ready(secure, 'secureConnect')
  return secure
}

async function ready(socket: Socket, event: string): Promise<void> {
  socket.setTimeout(timeoutMs, () => socket.destroy(new Error('the mail server does not answer')))
  try {
    await once(socket, event)
  } catch (error) {
    socket.destroy()
    throw error
  }
  // What breaks later ends the reading of lines, and is told there.
  socket.on('error', () => socket.destroy())
}

const has = ({ lines }: Reply, ability: string) => lines.some((line) => line.toUpperCase().startsWith(ability))
const isThisMachine = (host: string) => ['localhost', '127.0.0.1', '::1'].includes(host)
/** A dot that begins a line is written twice, since one alone ends the letter. */
const stuffed = (letter: string) => letter.replaceAll(/\r?\n/g, '\r\n').replaceAll(/^\./gm, '..')

/** The part between angle brackets, if there are any. */
function address(mailbox: string): string {
  const bare = /<([^<>]*)>\s*$/.exec(mailbox)?.[1] ?? mailbox.trim()
  if (!/^[^\s<>,;]+@[^\s<>,;]+$/.test(bare)) throw new Error(`"${bare.slice(0, 100)}" is no mail address`)
  return bare
}
