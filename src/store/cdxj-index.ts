import {
  appendFileSync,
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { basename } from 'node:path'
import { cdxEntryOf, cdxjLine } from './cdxj.ts'
import { parseWarcRecord } from './warc-parse.ts'
import { readMembers } from './warc-reader.ts'

/**
 * The index of one WARC file, as files beside it. While the WARC file grows, its lines gather unsorted in `.cdxj.part`;
 * the sorted `.cdxj` is written from them, and they can always be made again from the WARC file itself.
 */
export const indexPath = (warcPath: string): string => warcPath.replace(/\.warc\.gz$/, '.cdxj')
const unfinishedPath = (warcPath: string): string => `${indexPath(warcPath)}.tmp`
export const indexPartPath = (warcPath: string): string => `${indexPath(warcPath)}.part`

const WRITE_CHARS = 1024 * 1024
const NEWLINE = 0x0a

/** The whole index appears at once or not at all. Held in memory: the archive rolls over before lines become too many. */
export function writeSortedIndex(warcPath: string): void {
  const lines = readFileSync(indexPartPath(warcPath), 'latin1').split('\n')
  const sorted = [...new Set(lines)].filter((line) => line !== '').sort()
  const unfinished = unfinishedPath(warcPath)
  writeFileSync(unfinished, sorted.map((line) => `${line}\n`).join(''), { encoding: 'latin1', flush: true })
  renameSync(unfinished, indexPath(warcPath))
}

/** For a file that leaves the archive. */
export function removeIndex(warcPath: string): void {
  for (const path of [indexPath(warcPath), indexPartPath(warcPath)]) rmSync(path, { force: true })
  removeUnfinishedIndex(warcPath)
}

export const removeUnfinishedIndex = (warcPath: string): void => rmSync(unfinishedPath(warcPath), { force: true })

/** Cuts what was never committed. `false`: lines that were are missing, or a power cut has left a hole. */
export function recoverIndexPart(warcPath: string, committedBytes: number): boolean {
  const path = indexPartPath(warcPath)
  if (!existsSync(path) || statSync(path).size < committedBytes) return false
  truncateSync(path, committedBytes)
  const lines = readFileSync(path)
  return !lines.includes(0) && (lines.length === 0 || lines.at(-1) === NEWLINE)
}

/** Where the first record at or behind `from` begins, as far as the lines tell. */
export function recordOffsetFrom(warcPath: string, from: number): number | undefined {
  const path = indexPartPath(warcPath)
  if (from <= 0 || !existsSync(path)) return undefined
  for (const [, digits] of readFileSync(path, 'latin1').matchAll(/"offset":"(\d+)"/g))
    if (Number(digits) >= from) return Number(digits)
  return undefined
}

/** Reads the WARC file up to its first damage and writes its lines anew; answers how many bytes they take. */
export function rebuildIndexPart(warcPath: string): number {
  const warc = openSync(warcPath, 'r')
  const part = openSync(indexPartPath(warcPath), 'w')
  try {
    let chunk = ''
    for (const line of linesOf(warc, basename(warcPath))) {
      chunk += `${line}\n`
      if (chunk.length < WRITE_CHARS) continue
      appendFileSync(part, chunk)
      chunk = ''
    }
    appendFileSync(part, chunk)
    return fstatSync(part).size
  } finally {
    closeSync(warc)
    closeSync(part)
  }
}

function* linesOf(fd: number, filename: string): Generator<string> {
  for (const { offset, length, content } of readMembers(fd, 0, fstatSync(fd).size)) {
    const record = parseWarcRecord(content)
    const entry = record && cdxEntryOf(record, { filename, offset, length })
    if (entry) yield cdxjLine(entry)
  }
}
