/** Bytes of a segment from `first` to `end`, end not included. */
export interface Span {
  readonly first: number
  readonly end: number
}

/** A span that is one object, of a level that grows with its size. */
export interface TailChunk extends Span {
  readonly level: number
}

/** So many chunks of a level become one of the next. */
const FAN_IN = 8
const LEVEL_0_BYTES = 64 * 1024

/**
 * How many of the last chunks a new one of `newBytes` takes into itself. Every flush writes one object; rewriting the
 * small ones with it keeps their number low (a few for each level) at the cost of writing a byte again once for each
 * level, and ends when they make a part that is copied as it is when the segment is sealed.
 */
export function takenIn(
  tail: readonly TailChunk[],
  newBytes: number,
  partBytes: number,
): { readonly count: number; readonly level: number } {
  let count = 0
  let level = Math.max(0, Math.floor(Math.log(newBytes / LEVEL_0_BYTES) / Math.log(FAN_IN)))
  const tailBytes = tail.reduce((sum, { first, end }) => sum + end - first, 0)
  if (tailBytes + newBytes >= partBytes) return { count: tail.length, level }
  while (endsWithRun(tail.slice(0, tail.length - count), level)) {
    count += FAN_IN - 1
    level++
  }
  return { count, level }
}

function endsWithRun(tail: readonly TailChunk[], level: number): boolean {
  const run = tail.slice(1 - FAN_IN)
  return run.length === FAN_IN - 1 && run.every((chunk) => chunk.level <= level)
}

/** A piece of the segment and the chunk to take it from. */
export interface Piece<T extends Span> extends Span {
  readonly chunk: T
}

/**
 * Chunks that tell a segment without a gap from `from` on, as far as they reach. They may overlap, where a merged one was
 * written and those in it are not yet deleted: bytes at one offset are the same everywhere.
 */
export function coverOf<T extends Span>(chunks: readonly T[], from: number): readonly Piece<T>[] {
  const pieces: Piece<T>[] = []
  const byFirst = chunks.toSorted((a, b) => a.first - b.first)
  let reached = from
  for (let i = 0; i < byFirst.length; ) {
    let best: T | undefined
    for (; i < byFirst.length && byFirst[i]!.first <= reached; i++)
      if (byFirst[i]!.end > (best?.end ?? reached)) best = byFirst[i]!
    if (!best) break
    pieces.push({ chunk: best, first: reached, end: best.end })
    reached = best.end
  }
  return pieces
}

/** Pieces that become one part of the sealed object: several only where each alone would be too short. */
export function groupedInParts<T extends Span>(
  pieces: readonly Piece<T>[],
  minBytes: number,
  maxBytes: number,
): Piece<T>[][] {
  const groups: Piece<T>[][] = []
  let bytes = Number.POSITIVE_INFINITY
  for (const piece of pieces.flatMap((one) => divided(one, maxBytes))) {
    if (bytes >= minBytes) {
      groups.push([])
      bytes = 0
    }
    groups.at(-1)!.push(piece)
    bytes += piece.end - piece.first
  }
  return groups
}

/** In halves, and these again, so that none becomes far too short. */
function divided<T extends Span>({ chunk, first, end }: Piece<T>, maxBytes: number): Piece<T>[] {
  if (end - first <= maxBytes) return [{ chunk, first, end }]
  const middle = first + Math.ceil((end - first) / 2)
  return [...divided({ chunk, first, end: middle }, maxBytes), ...divided({ chunk, first: middle, end }, maxBytes)]
}

/** The same pieces, cut where parts of one size end. */
export function cutInParts<T extends Span>(pieces: readonly Piece<T>[], partBytes: number): Piece<T>[][] {
  const parts: Piece<T>[][] = []
  const start = pieces[0]?.first ?? 0
  for (const { chunk, first, end } of pieces) {
    for (let from = first; from < end; ) {
      const part = Math.floor((from - start) / partBytes)
      const to = Math.min(end, start + (part + 1) * partBytes)
      parts[part] ??= []
      parts[part].push({ chunk, first: from, end: to })
      from = to
    }
  }
  return parts
}
