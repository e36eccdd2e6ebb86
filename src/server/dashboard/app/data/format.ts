/** How numbers, sizes and times are written everywhere in the dashboard. */

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 })

/** 12,345: all digits. */
export const count = (value: number): string => whole.format(value)

/** 12.3K: for places where the order of magnitude matters. Small numbers keep a digit or two after the point. */
export function short(value: number): string {
  if (Math.abs(value) < 10 && !Number.isInteger(value)) return value.toFixed(value < 1 ? 2 : 1)
  return compact.format(value)
}

export const percent = (share: number): string => {
  const value = share * 100
  return `${value > 0 && value < 10 ? value.toFixed(1) : value.toFixed(0)} %`
}

const byteUnits = ['B', 'KB', 'MB', 'GB', 'TB', 'PB']

export function bytes(value: number): string {
  let unit = 0
  let amount = value
  while (amount >= 1000 && unit < byteUnits.length - 1) {
    amount /= 1000
    unit++
  }
  return `${unit === 0 || amount >= 100 ? amount.toFixed(0) : amount.toFixed(1)} ${byteUnits[unit]}`
}

/** 420 ms, 3.2 s, 4 min 10 s, 2 h 5 min, 3 d 4 h. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  const s = ms / 1000
  if (s < 10) return `${Number(s.toFixed(1))} s`
  if (s < 60) return `${Math.floor(s)} s`
  if (s < 3600) return pair(s, 60, 'min', 's')
  if (s < 86_400) return pair(s / 60, 60, 'h', 'min')
  return pair(s / 3600, 24, 'd', 'h')
}

function pair(small: number, perLarge: number, large: string, rest: string): string {
  const left = Math.floor(small % perLarge)
  const head = `${Math.floor(small / perLarge)} ${large}`
  return left === 0 ? head : `${head} ${left} ${rest}`
}

/** 2026-07-19 14:03:09, local time. */
export function moment(at: number): string {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return ''
  const two = (value: number) => String(value).padStart(2, '0')
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
}

export const clockTime = (at: number): string => moment(at).slice(11)

/** "in 5 s", "3 min ago", "now". */
export function relative(at: number, now: number): string {
  const away = at - now
  if (Math.abs(away) < 1000) return 'now'
  return away > 0 ? `in ${duration(away)}` : `${duration(-away)} ago`
}
