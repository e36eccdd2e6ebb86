import { type DroppedParameters, isDropped } from './parameters.ts'

/** ASP.NET without cookies: `/(S(lit3py55t21z5v55vlm25s55))/page.aspx`, several such parts, or the older bare form. */
const ASP_SESSION = /^\((?:(?:[A-Za-z]\([0-9A-Za-z_-]{20,}\))+|[0-9a-z]{24})\)$/

/** The path without the session ids that servers write into it: `/list;jsessionid=1A2B` and `/(S(…))/list`. */
export function withoutSessions(path: string, dropped: DroppedParameters): string {
  if (!path.includes(';') && !path.includes('(')) return path
  const segments = path.split('/')
  const kept: string[] = []
  for (let index = 0; index < segments.length; index++) {
    const segment = withoutParameters(segments[index]!, dropped)
    if (!ASP_SESSION.test(segment)) kept.push(segment)
    else if (index === segments.length - 1) kept.push('')
  }
  return kept.join('/')
}

function withoutParameters(segment: string, dropped: DroppedParameters): string {
  if (!segment.includes(';')) return segment
  const [name = '', ...parameters] = segment.split(';')
  const kept = parameters.filter((parameter) => {
    const equals = parameter.indexOf('=')
    return equals < 0 || !isDropped(dropped, parameter.slice(0, equals), parameter.slice(equals + 1))
  })
  if (kept.length === parameters.length) return segment
  // `..;jsessionid=1` is a name to the server; without its parameter it would climb.
  if (kept.length === 0 && (name === '.' || name === '..')) return segment
  return [name, ...kept].join(';')
}
