import { createHmac } from 'node:crypto'
import type { AlertNews, Notifier } from './news.ts'
import { explanation } from './news.ts'
import { postJson } from './post.ts'

export interface WebhookOptions {
  readonly url: string
  /** `undefined`: posts are not signed. */
  readonly secret: string | undefined
  readonly mayBePrivate: boolean
}

/**
 * Posts alerts as JSON. `X-Orbweaver-Signature: t=SECONDS,v1=HEX` is the HMAC with SHA-256 of `SECONDS.BODY`, so that a
 * receiver knows who sent it, and that it is not an old one sent again.
 */
export function webhook({ url, secret, mayBePrivate }: WebhookOptions): Notifier {
  return {
    name: `webhook at ${new URL(url).host}`,
    async tell(news) {
      const body = JSON.stringify(letterOf(news))
      const headers = secret === undefined ? {} : { 'x-orbweaver-signature': signature(secret, news.at, body) }
      await postJson({ url, body, headers, mayBePrivate })
    },
  }
}

export function signature(secret: string, at: number, body: string): string {
  const seconds = Math.floor(at / 1000)
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`
}

function letterOf(news: AlertNews) {
  const { kind, rule, value, since, at, done } = news
  return {
    ...{ kind, alert: rule.id, title: rule.title, severity: rule.severity, measure: rule.of, value },
    ...{ threshold: rule.threshold, since: new Date(since).toISOString(), at: new Date(at).toISOString() },
    ...{ text: explanation(news), done },
  }
}
