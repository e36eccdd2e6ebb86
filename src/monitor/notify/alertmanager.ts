import { type AlertNews, explanation, type Notifier } from './news.ts'
import { postJson } from './post.ts'

export interface AlertmanagerOptions {
  readonly url: string
  /** Until then it counts as firing without being told again. */
  readonly repeatMs: number
}

/** Prometheus Alertmanager, API v2. Who groups and routes there has the labels to do it by. */
export function alertmanager({ url, repeatMs }: AlertmanagerOptions): Notifier {
  const path = `${url.replace(/\/+$/, '')}/api/v2/alerts`
  return {
    name: `Alertmanager at ${new URL(url).host}`,
    tell: (news) => postJson({ url: path, body: JSON.stringify([postable(news, repeatMs)]), mayBePrivate: true }),
  }
}

function postable(news: AlertNews, repeatMs: number) {
  const { rule, kind, since, at } = news
  const endsAt = kind === 'resolved' ? at : at + 2 * repeatMs
  return {
    labels: { alertname: rule.id, severity: rule.severity, service: 'orbweaver' },
    annotations: { summary: rule.title, description: explanation(news) },
    startsAt: new Date(since).toISOString(),
    endsAt: new Date(endsAt).toISOString(),
  }
}
