/** Archive files lie in a folder for each UTC day: `2025-01-31/orbweaver-20250131235959-00001.warc.gz`. */
export function archiveName(at: number, serial: number): string {
  const seconds = new Date(at).toISOString().slice(0, 19).replace(/\D/g, '')
  return `${dayOf(at)}/orbweaver-${seconds}-${String(serial).padStart(5, '0')}.warc.gz`
}

const DAY_MS = 86_400_000
let lastDay = { number: Number.NaN, name: '' }

/** Asked for with every page, and nearly always for the same day. */
export function dayOf(at: number): string {
  const number = Math.floor(at / DAY_MS)
  if (lastDay.number !== number) lastDay = { number, name: new Date(at).toISOString().slice(0, 10) }
  return lastDay.name
}

export const isArchiveName = (file: string): boolean =>
  /^\d{4}-\d\d-\d\d\/orbweaver-\d{14}-\d{5,}\.warc\.gz$/.test(file)
