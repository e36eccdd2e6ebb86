import { CLOSES_P, HAS_RIVALS, SCOPE, SPECIAL, TABLE_PART, Tag, tagFlags, VOID } from './tags.ts'

/** How far an end tag looks for its start tag: beyond it real pages have none, and hostile ones cost no more. */
const MAX_LOOK = 256

/**
 * The elements open at a place of the document, with the end tags that HTML implies (`li` ends `li`, a block ends `p`). Not
 * the whole tree construction of the standard: what is needed to know where a hidden element or a list ends.
 */
export class OpenElements {
  #tags = new Uint8Array(64)
  #depth = 0
  /** By tag. */
  readonly #count: number[] = new Array(256).fill(0)

  get depth(): number {
    return this.#depth
  }

  get hasTable(): boolean {
    return this.#count[Tag.table] !== 0
  }

  /** Ends the elements that this one ends, answers how many are left open, and opens it unless it is void. */
  start(tag: number, flags: number): number {
    if ((flags & CLOSES_P) !== 0 && this.#count[Tag.p]! > 0) this.#closeInScope(Tag.p)
    if ((flags & HAS_RIVALS) !== 0) this.#closeRivals(tag, RIVALS[tag]!)
    const depth = this.#depth
    if (opens[tag] === 1) this.#push(tag)
    return depth
  }

  /** Answers the flags of all elements that the end tag ended, and its own; 0 if it ended nothing. */
  end(tag: number): number {
    const last = this.#depth - 1
    if (last >= 0 && this.#tags[last] === tag) {
      this.#depth = last
      this.#count[tag]!--
      return tagFlags[tag]! | ENDED
    }
    return this.#count[tag] === 0 && !isHeading(tag) ? 0 : this.#endOuter(tag)
  }

  #endOuter(tag: number): number {
    const stop = Math.max(0, this.#depth - MAX_LOOK)
    for (let i = this.#depth - 1; i >= stop; i--) {
      const open = this.#tags[i]!
      if (open === tag || (isHeading(tag) && isHeading(open))) return this.#popTo(i) | tagFlags[tag]! | ENDED
      if (withstands(open, tag)) return 0
    }
    return 0
  }

  #closeInScope(tag: number): void {
    const stop = Math.max(0, this.#depth - MAX_LOOK)
    for (let i = this.#depth - 1; i >= stop; i--) {
      const open = this.#tags[i]!
      if (open === tag) {
        this.#popTo(i)
        return
      }
      if ((tagFlags[open]! & SCOPE) !== 0) return
    }
  }

  /** Ends the nearest open rival unless an element that shields it stands between. */
  #closeRivals(tag: number, rivals: readonly number[]): void {
    if (!this.#hasOpen(rivals)) return
    const stop = Math.max(0, this.#depth - MAX_LOOK)
    for (let i = this.#depth - 1; i >= stop; i--) {
      const open = this.#tags[i]!
      if (rivals.includes(open)) {
        this.#popTo(i)
        if (!isTablePart(tag)) return
      } else if (shields(open, tag)) return
    }
  }

  #hasOpen(tags: readonly number[]): boolean {
    for (let i = 0; i < tags.length; i++) if (this.#count[tags[i]!]! > 0) return true
    return false
  }

  #push(tag: number): void {
    if (this.#depth === this.#tags.length) this.#grow()
    this.#tags[this.#depth++] = tag
    this.#count[tag]!++
  }

  #grow(): void {
    const grown = new Uint8Array(this.#depth * 2)
    grown.set(this.#tags)
    this.#tags = grown
  }

  #popTo(depth: number): number {
    let flags = 0
    while (this.#depth > depth) {
      const tag = this.#tags[--this.#depth]!
      this.#count[tag]!--
      flags |= tagFlags[tag]!
    }
    return flags
  }
}

/** Set in every answer that is not "nothing". */
const ENDED = 0x8000

/** Does an open element keep an end tag from reaching further up? */
function withstands(open: number, tag: number): boolean {
  if (isTablePart(tag) || tag === Tag.table) return open === Tag.table
  const flags = tagFlags[open]!
  if ((tagFlags[tag]! & SPECIAL) !== 0 || tag === Tag.dialog) return (flags & SCOPE) !== 0
  // Titles and descriptions of svg are no bar to the end of svg itself.
  if (tag === Tag.svg && (open === Tag.title || open === Tag.desc)) return false
  return (flags & SPECIAL) !== 0
}

/** Any of them ends any other. */
function isHeading(tag: number): boolean {
  return tag >= Tag.h1 && tag <= Tag.h6
}

function isTablePart(tag: number): boolean {
  return (tagFlags[tag]! & TABLE_PART) !== 0
}

const CELLS = [Tag.td, Tag.th]
const SECTIONS = [Tag.tbody, Tag.thead, Tag.tfoot]
const TABLE_PARTS = [...CELLS, Tag.tr, ...SECTIONS]

/** Which open elements a start tag ends. */
const RIVALS: (readonly number[] | undefined)[] = []
RIVALS[Tag.li] = [Tag.li]
RIVALS[Tag.dd] = RIVALS[Tag.dt] = [Tag.dd, Tag.dt]
RIVALS[Tag.option] = [Tag.option]
RIVALS[Tag.optgroup] = [Tag.option, Tag.optgroup]
RIVALS[Tag.a] = [Tag.a]
RIVALS[Tag.td] = RIVALS[Tag.th] = CELLS
RIVALS[Tag.tr] = [...CELLS, Tag.tr]
for (const section of SECTIONS) RIVALS[section] = TABLE_PARTS

/** By tag number: whether something may stand in it that its end tag ends. Those of the document are always open. */
const opens = Uint8Array.from(tagFlags, (flags) => ((flags & VOID) === 0 ? 1 : 0))
for (const tag of [Tag.html, Tag.head, Tag.body]) opens[tag] = 0

const SEE_THROUGH: readonly number[] = [Tag.p, Tag.address, Tag.div]

function shields(open: number, tag: number): boolean {
  if (isTablePart(tag)) return open === Tag.table || open === Tag.template
  return (tagFlags[open]! & SPECIAL) !== 0 && (tag === Tag.a || !SEE_THROUGH.includes(open))
}
