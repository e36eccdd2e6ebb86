import type { Rule } from '../alerts.ts'

/** An alert that begins, still lasts, or is over: what people are told. */
export interface AlertNews {
  readonly kind: 'firing' | 'still-firing' | 'resolved'
  readonly rule: Rule
  readonly value: number | null
  /** When it began to fire. */
  readonly since: number
  readonly at: number
  /** What the orchestrator has done or found, in words; may be empty. */
  readonly done: string
}

/** One way to tell people. Rejects when it could not be told. */
export interface Notifier {
  /** For logs: without secrets. */
  readonly name: string
  tell(news: AlertNews): Promise<void>
}

export function headline({ kind, rule }: AlertNews): string {
  return kind === 'resolved' ? `Resolved: ${rule.title}` : `${upperFirst(rule.severity)}: ${rule.title}`
}

export function explanation({ rule, value, kind, done }: AlertNews): string {
  const measured = value === null ? '' : `${rule.of} is ${shortNumber(value)}, ${boundText(rule)}. `
  return [`${measured}${kind === 'resolved' ? '' : rule.advice}`.trim(), done].filter(Boolean).join(' ')
}

const boundText = ({ is, threshold }: Rule) =>
  `the limit is ${is === 'over' ? 'at most' : 'at least'} ${shortNumber(threshold)}`
const shortNumber = (value: number) => String(Math.round(value * 1000) / 1000)
const upperFirst = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
