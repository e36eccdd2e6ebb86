/** How documents stand in a log: word after word, each by its number. */

/** Before the words of a document stand the lengths of its three columns, two places each, the lower bits first. */
export const headerPlaces = 6

/** From here on a number takes two places, of which the first has its upper bits beside these. */
export const wideNumber = 0xff00

/** The documents of a log, or some of them. */
export interface LoggedDocuments {
  readonly numbers: Uint16Array
  readonly documents: number
  /** By document: 0 leaves it out. */
  readonly live?: Uint8Array
}
