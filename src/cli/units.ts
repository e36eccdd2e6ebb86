import { UsageError } from '../config/usage-error.ts'

/** `90`, `1.5s`, `10m`, `2h`, `250ms` → milliseconds; a bare number is seconds. */
export function readDurationMs(flag: string): (text: string) => number {
  return (text) => {
    const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)?$/.exec(text.trim())
    if (!match) throw new UsageError(`--${flag} takes a time such as 30s, 10m or 2h, not "${text}".`)
    const unitMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }[match[2] ?? 's']!
    return Math.round(Number(match[1]) * unitMs)
  }
}

export function readCount(flag: string): (text: string) => number {
  return (text) => {
    const match = /^(\d+(?:\.\d+)?)([km])?$/i.exec(text.trim().replaceAll(/[_,]/g, ''))
    if (!match) throw new UsageError(`--${flag} takes a number, not "${text}".`)
    const count = Number(match[1]) * ({ k: 1e3, m: 1e6 }[match[2]?.toLowerCase() ?? ''] ?? 1)
    if (!Number.isInteger(count)) throw new UsageError(`--${flag} takes a whole number, not "${text}".`)
    return count
  }
}

export function showCount(count: number): string {
  return Math.round(count).toLocaleString('en-US')
}

/** `1 page`, `2 pages`. */
export function counted(count: number, noun: string): string {
  return `${showCount(count)} ${noun}${count === 1 ? '' : 's'}`
}

/** The first three, and how many more of them (`count`) there are. */
export function firstOf(names: readonly string[], count = names.length): string {
  return names.slice(0, 3).join(', ') + (count > 3 ? ` and ${showCount(count - 3)} more` : '')
}

export function showBytes(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB']
  let value = bytes
  let unit = 0
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000
    unit++
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`
}

export function showDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return `${hours} h ${minutes % 60} min`
  return `${Math.floor(hours / 24)} d ${hours % 24} h`
}

const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Text of a page, made safe for a terminal: no control or direction characters, one line. */
export function safe(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(control, '\ufffd')
}
