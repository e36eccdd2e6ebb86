/** A pattern in which `*` stands for any text, also none. */
export interface Glob {
  /** The literal texts between the stars. */
  readonly pieces: readonly string[]
  /** The last piece must end the text; otherwise anything may follow it. */
  readonly anchored: boolean
  /** Shorter texts cannot match. */
  readonly minLength: number
}

export function compileGlob(pattern: string, anchored: boolean): Glob {
  const pieces = pattern.replace(/\*{2,}/g, '*').split('*')
  return { pieces, anchored, minLength: pieces.reduce((sum, piece) => sum + piece.length, 0) }
}

/**
 * Takes the first place for each piece in turn. With `*` as the only wildcard that is never worse than a later place, so
 * there is nothing to go back to: no pattern makes this explode.
 */
export function globMatches(glob: Glob, text: string): boolean {
  const { pieces, anchored } = glob
  if (text.length < glob.minLength || !text.startsWith(pieces[0]!)) return false
  const last = pieces.length - 1
  if (last === 0) return !anchored || text.length === pieces[0]!.length
  let at = pieces[0]!.length
  for (let index = 1; index < last; index++) {
    const found = text.indexOf(pieces[index]!, at)
    if (found < 0) return false
    at = found + pieces[index]!.length
  }
  const end = pieces[last]!
  return anchored ? text.length - end.length >= at && text.endsWith(end) : text.indexOf(end, at) >= 0
}
