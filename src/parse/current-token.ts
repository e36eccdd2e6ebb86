/** The token that a scanner stands at, as those see it who read its meaning. */
export interface CurrentToken {
  readonly bytes: Buffer
  /** Number of the element (`tags.ts`); of a raw text, that of the element around it. */
  readonly tag: number
  /** Of a raw text, its first byte. */
  readonly start: number
  readonly end: number
  has(attribute: number): boolean
  /** First byte of an attribute's value; only where `has` says so. */
  valueStart(attribute: number): number
  valueEnd(attribute: number): number
}
