import { expressionProgram, type Program } from './expression-program.ts'
import { parseExpression } from './expression-syntax.ts'

/**
 * A regular expression whose cost is bounded by its size times the length of the text, whatever either of them is: all
 * ways to match are followed at once, a step for each character, instead of one after another. What cannot be matched so
 * (back-references, look-around) is refused. It answers yes or no, for text in ASCII, as every canonical URL is.
 */
export interface Expression {
  matches(text: string): boolean
}

/** Throws a SyntaxError whose message says what is wrong. */
export function compileExpression(source: string): Expression {
  const program = expressionProgram(parseExpression(source))
  const threads = new Threads(program)
  return { matches: (text) => threads.run(text) }
}

/** The places in the program that may go on at one position, each once. */
class Threads {
  readonly #program: Program
  readonly #seenAt: Uint32Array
  #current: number[] = []
  #next: number[] = []
  #step = 0

  constructor(program: Program) {
    this.#program = program
    this.#seenAt = new Uint32Array(program.length)
  }

  run(text: string): boolean {
    this.#current.length = 0
    this.#seenAt.fill(0)
    this.#step = 1
    for (let at = 0; at <= text.length; at++) {
      // A match may begin anywhere.
      if (this.#add(this.#current, 0, text, at)) return true
      this.#step++
      this.#next.length = 0
      const code = text.charCodeAt(at)
      for (const place of this.#current) {
        const { set } = this.#program[place]!
        if (set?.[code] === 1 && this.#add(this.#next, place + 1, text, at + 1)) return true
      }
      const spent = this.#current
      this.#current = this.#next
      this.#next = spent
    }
    return false
  }

  /** Follows what takes no character; `true` when that reaches the end of the program. */
  #add(list: number[], first: number, text: string, at: number): boolean {
    const open = [first]
    for (let place = open.pop(); place !== undefined; place = open.pop()) {
      if (this.#seenAt[place] === this.#step) continue
      this.#seenAt[place] = this.#step
      const instruction = this.#program[place]!
      if (instruction.kind === 'match') return true
      if (instruction.kind === 'set') list.push(place)
      else if (instruction.kind === 'fork') open.push(...instruction.to)
      else if (holds(instruction.kind, text, at)) open.push(place + 1)
    }
    return false
  }
}

function holds(assertion: 'start' | 'end' | 'edge' | 'inside', text: string, at: number): boolean {
  if (assertion === 'start') return at === 0
  if (assertion === 'end') return at === text.length
  const isEdge = /\w/.test(text.charAt(at - 1)) !== /\w/.test(text.charAt(at))
  return isEdge === (assertion === 'edge')
}
