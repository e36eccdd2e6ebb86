import { readFileSync } from 'node:fs'
import { UsageError } from '../../config/usage-error.ts'
import type { AlertsConfig } from '../config.ts'
import { alertmanager } from './alertmanager.ts'
import { mail, smtpServer } from './mail.ts'
import type { Notifier } from './news.ts'
import { slack } from './slack.ts'
import { webhook } from './webhook.ts'

/** Every way to tell people that the settings name. */
export function openNotifiers(config: AlertsConfig): readonly Notifier[] {
  const { webhookPrivate: mayBePrivate, repeatMs } = config
  const secret = secretIn(config.webhookSecretFile)
  const slackUrl = secretIn(config.slackUrlFile)
  return [
    ...config.webhookUrls.map((url) => webhook({ url, secret, mayBePrivate })),
    ...(slackUrl === undefined ? [] : [slack({ url: checkedUrl(slackUrl), mayBePrivate })]),
    ...(config.smtpUrl === null ? [] : [mailOf(config, config.smtpUrl)]),
    ...config.alertmanagerUrls.map((url) => alertmanager({ url, repeatMs })),
  ]
}

function mailOf({ smtpPasswordFile, mailFrom, mailTo }: AlertsConfig, smtpUrl: string): Notifier {
  if (mailFrom === '' || mailTo.length === 0)
    throw new UsageError('Mail needs a sender and somebody who gets it: set monitor.alerts.mailFrom and mailTo.')
  return mail({ server: smtpServer(smtpUrl, secretIn(smtpPasswordFile) ?? ''), from: mailFrom, to: mailTo })
}

function secretIn(file: string | null): string | undefined {
  if (file === null) return undefined
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (cause) {
    throw new UsageError(`Secret file ${file} cannot be read: ${(cause as Error).message}.`, { cause })
  }
}

function checkedUrl(url: string): string {
  if (URL.canParse(url)) return url
  throw new UsageError('monitor.alerts.slackUrlFile must hold the address of a webhook, and holds something else.')
}
