/** A stretch of an excerpt, and whether it is a match. */
export interface Stretch {
  readonly text: string
  readonly isMatch: boolean
}

const begins = '\u0002'
const ends = '\u0003'

/** Splits an excerpt whose matches stand between the marks of the search index. Marks without a partner are dropped. */
export function stretchesOf(excerpt: string): Stretch[] {
  const stretches: Stretch[] = []
  let isMatch = false
  let text = ''
  const close = () => {
    if (text !== '') stretches.push({ text, isMatch })
    text = ''
  }
  for (const character of excerpt) {
    if (character !== begins && character !== ends) text += character
    else {
      close()
      isMatch = character === begins
    }
  }
  close()
  return stretches
}
