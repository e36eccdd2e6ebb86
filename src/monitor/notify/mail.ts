import { randomUUID } from 'node:crypto'
import { UsageError } from '../../config/usage-error.ts'
import { type AlertNews, explanation, headline, type Notifier } from './news.ts'
import { type SmtpServer, sendMail } from './smtp-session.ts'

export interface MailOptions {
  readonly server: SmtpServer
  readonly from: string
  readonly to: readonly string[]
}

/** Alerts as plain letters. */
export function mail({ server, from, to }: MailOptions): Notifier {
  return {
    name: `mail by ${server.host}`,
    tell: (news) => sendMail(server, from, to, letter(news, from, to)),
  }
}

export function smtpServer(url: string, password: string): SmtpServer {
  const { protocol, hostname, port, username } = parsedUrl(url)
  const isTls = protocol === 'smtps:'
  const host = hostname.replace(/^\[|\]$/g, '')
  return { host, port: port ? Number(port) : isTls ? 465 : 587, isTls, user: decodeURIComponent(username), password }
}

function parsedUrl(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed && ['smtp:', 'smtps:'].includes(parsed.protocol) && parsed.hostname !== '' && parsed.password === '')
    return parsed
  throw new UsageError(
    'monitor.alerts.smtpUrl is written as smtp://USER@HOST:587 or smtps://USER@HOST; the password stands in smtpPasswordFile.',
  )
}

export function letter(news: AlertNews, from: string, to: readonly string[]): string {
  const headers = {
    From: from,
    To: to.join(', '),
    Subject: encoded(`[orbweaver] ${headline(news)}`),
    Date: new Date(news.at).toUTCString().replace('GMT', '+0000'),
    'Message-ID': `<${randomUUID()}@orbweaver>`,
    'MIME-Version': '1.0',
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Transfer-Encoding': 'base64',
  }
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${oneLine(value)}`)
  const body = Buffer.from(`${headline(news)}\n\n${explanation(news)}\n`).toString('base64')
  return [...head, '', ...(body.match(/.{1,76}/g) ?? [])].join('\r\n')
}

/** Nothing that is told can add a header of its own. */
const oneLine = (text: string) => text.replaceAll(/[\r\n]+/g, ' ')
const encoded = (text: string) =>
  /^[\x20-\x7e]*$/.test(text) ? text : `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`
