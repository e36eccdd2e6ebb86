/** How things are, in the four tones that the dashboard has. */
export type Tone = 'good' | 'warn' | 'bad' | 'accent' | ''

const tones: Readonly<Record<string, Tone>> = {
  running: 'accent',
  paused: 'warn',
  stopping: 'warn',
  finished: 'good',
  stopped: '',
  failed: 'bad',
  queued: '',
  leased: 'accent',
  done: 'good',
  excluded: 'warn',
  dead: 'bad',
  page: 'good',
  redirect: '',
  other: 'warn',
  refused: 'warn',
  archived: 'good',
  duplicate: 'warn',
  'near-duplicate': 'warn',
  firing: 'bad',
  pending: 'warn',
  ok: 'good',
  critical: 'bad',
  warning: 'warn',
}

export const toneOf = (state: string): Tone => tones[state] ?? ''
