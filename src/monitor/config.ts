import * as z from 'zod'

const secretFile = (of: string) => z.string().nullable().default(null).describe(`File that holds ${of}.`)

export const alertsConfig = z.strictObject({
  everyMs: z.int().min(1000).default(10_000).describe('How often rules are judged.'),
  off: z.array(z.string()).default([]).describe('Rules that are not judged, by name: docs/monitoring.md lists them.'),
  thresholds: z
    .record(z.string(), z.number())
    .default({})
    .describe('Other thresholds, by the name of the rule; where it ends moves along.'),
  forMs: z
    .record(z.string(), z.int().min(0))
    .default({})
    .describe(
      'How long it must be so before an alert fires, where that is not the usual time, by the name of the rule.',
    ),
  actions: z
    .boolean()
    .default(true)
    .describe(
      'Whether the orchestrator does by itself what is safe: start workers, take fewer links, check the network.',
    ),
  fewerLinks: z.int().min(1).default(20).describe('Links taken from a page while the frontier is too large.'),
  errorBudget: z
    .number()
    .gt(0)
    .max(1)
    .default(0.2)
    .describe('Share of the attempts of an hour that may fail before it is told.'),
  repeatMs: z.int().min(60_000).default(14_400_000).describe('An alert that still fires is told again after so long.'),
  webhookUrls: z.array(z.url()).default([]).describe('Where alerts are posted as JSON.'),
  webhookSecretFile: secretFile('the key with which posts to webhooks are signed (HMAC with SHA-256)'),
  webhookPrivate: z
    .boolean()
    .default(false)
    .describe('Webhooks and Slack-compatible servers may be at private addresses.'),
  slackUrlFile: secretFile('the address of a Slack-compatible incoming webhook'),
  smtpUrl: z
    .string()
    .nullable()
    .default(null)
    .describe('Mail server, as smtp://USER@HOST:587 (STARTTLS) or smtps://USER@HOST.'),
  smtpPasswordFile: secretFile('the password of the mail server'),
  mailFrom: z.string().default('').describe('Sender of mail.'),
  mailTo: z.array(z.string()).default([]).describe('Who gets mail.'),
  alertmanagerUrls: z
    .array(z.url())
    .default([])
    .describe('Prometheus Alertmanagers (API v2), such as http://alertmanager:9093.'),
})

export type AlertsConfig = z.infer<typeof alertsConfig>

export const otlpConfig = z.strictObject({
  endpoint: z.url().nullable().default(null).describe('OpenTelemetry collector, such as http://127.0.0.1:4318.'),
  headersFile: secretFile('headers for it, a line each: `Name: value`'),
  everyMs: z.int().min(1000).default(15_000).describe('How often metrics and traces are sent.'),
  traceShare: z.number().min(0).max(1).default(0.001).describe('Share of the visits of which a trace is made.'),
})

export const monitorConfig = z.strictObject({
  listen: z
    .string()
    .nullable()
    .default(null)
    .describe('Where this process serves its own metrics, such as 0.0.0.0:9464. `serve` has them at /metrics anyway.'),
  log: z
    .string()
    .nullable()
    .default(null)
    .describe('File to which events are appended as JSON lines; `-`: standard error.'),
  logLevel: z
    .enum(['debug', 'info', 'warn', 'error'])
    .default('info')
    .describe('The least that is logged. `debug`: every visit.'),
  alerts: alertsConfig.prefault({}),
  otlp: otlpConfig.prefault({}),
})

export type MonitorConfig = z.infer<typeof monitorConfig>
