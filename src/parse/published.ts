/** Dates as pages write them → ISO 8601 in UTC; `''` when it is none, or not of the age of the printed word. */
export function isoDate(text: string): string {
  if (text === '') return ''
  const trimmed = text.trim().slice(0, 64)
  const iso = ISO.exec(trimmed)
  const time = iso ? isoTime(iso) : looseTime(trimmed)
  if (Number.isNaN(time) || time < EARLIEST || time > LATEST) return ''
  return new Date(time).toISOString()
}

const EARLIEST = Date.UTC(1450, 0, 1)
const LATEST = Date.UTC(2200, 0, 1)

const ISO =
  /^(\d{4})[-/](\d{1,2})(?:[-/](\d{1,2})(?:[T\s]+(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|UTC|GMT|[+-]\d{2}:?(?:\d{2})?)?)?)?$/i

function isoTime(match: RegExpExecArray): number {
  const [, year, month, day, hour, minute, second, fraction, zone] = match
  const midnight = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day ?? 0) || 1))
  const isReal =
    midnight.getUTCFullYear() === Number(year) &&
    midnight.getUTCMonth() === Number(month) - 1 &&
    midnight.getUTCDate() === (Number(day ?? 0) || 1) &&
    Number(hour ?? 0) < 25 &&
    Number(minute ?? 0) < 60
  if (!isReal) return Number.NaN
  const seconds = (Number(hour ?? 0) * 60 + Number(minute ?? 0)) * 60 + Number(second ?? 0)
  const millis = fraction === undefined ? 0 : Math.floor(Number(`0.${fraction}`) * 1000)
  return midnight.getTime() + seconds * 1000 + millis - offsetMs(zone)
}

function offsetMs(zone: string | undefined): number {
  const match = zone === undefined ? null : /^([+-])(\d{2}):?(\d{2})?$/.exec(zone)
  if (!match) return 0
  const minutes = Number(match[2]) * 60 + Number(match[3] ?? 0)
  return (match[1] === '-' ? -minutes : minutes) * 60_000
}

/** `Sat, 25 Jun 2011 15:00:00 GMT`, `June 25, 2011`. Without a zone it is UTC: the answer must not follow the machine. */
function looseTime(text: string): number {
  if (!/\d{4}/.test(text) || !/[a-z]{3}/i.test(text)) return Number.NaN
  const hasZone = /(?:\b(?:GMT|UTC|Z|[ECMP][SD]T)|[+-]\d{2}:?\d{2})\)?$/i.test(text)
  return Date.parse(hasZone ? text : `${text} UTC`)
}
