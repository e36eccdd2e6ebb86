/** Words of pages that show dates. A number of four digits beside one of them may be a year; elsewhere it is anything. */
const DATE_WORD =
  /[/?&_.-](?:cal|calendar|kalender|events?|dates?|days?|months?|years?|weeks?|agenda|diary|schedule|archives?|jahr|monat|tag|termine?|mois|jour|y)(?=[/?&=_.-])/i

/** `/2087/04`, `/2087-04`, `=2087-04-01`, `/20870412`: a year with its month, between separators. */
const YEAR_AND_MONTH =
  /[/=_.-](\d{4})(?:[/_.-](?:0?[1-9]|1[0-2])|(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])?)(?=[/?&_.T-]|$)/

/** A whole date in the path needs no word beside it: `/2087/04/12/`. */
const WHOLE_DATE = /\/(\d{4})[/-](?:0[1-9]|1[0-2])[/-](?:0[1-9]|[12]\d|3[01])(?=[/?&T-]|$)/

/** `?year=2087`, `&cal_year=2087`, `y=2087&m=4`. */
const YEAR_PARAMETER = /[?&](?:[^=&?]*(?:year|jahr|annee|yr)|y)=(\d{4})(?=&|$)/i

/** `/calendar/2087`. An event or an article may have a number instead, so their words are not here. */
const YEAR_AFTER_WORD = /\/(?:cal|calendar|kalender|agenda|year)\/(\d{4})(?=[/?]|$)/i

/** The year of the calendar page that this path and query seem to show; `undefined` when they show none. */
export function calendarYear(path: string): number | undefined {
  if (!/\d{4}/.test(path)) return undefined
  const year = (WHOLE_DATE.exec(path) ?? (DATE_WORD.test(path) ? yearBesideWord(path) : null))?.[1]
  return year === undefined ? undefined : Number(year)
}

function yearBesideWord(path: string): RegExpExecArray | null {
  return YEAR_PARAMETER.exec(path) ?? YEAR_AFTER_WORD.exec(path) ?? YEAR_AND_MONTH.exec(path)
}
