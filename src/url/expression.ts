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
  return new Automaton(expressionProgram(parseExpression(source)))
}

/** What follows a position: a character in ASCII, another one, or nothing. */
const OTHER = 128
const END = 129

/** The places in the program that may go on at some position, and what came before it. */
interface State {
  readonly places: readonly number[]
  readonly before: 'start' | 'word' | 'other'
  /** By what follows: the next state, or whether the answer is known. Filled as it is met. */
  readonly next: (State | 'matched' | 'failed' | undefined)[]
}

const MAX_STATES = 500

/** Makes its states when first met, so that a character of a later text costs one look-up; forgets them when too many. */
class Automaton implements Expression {
  readonly #program: Program
  readonly #states = new Map<string, State>()
  readonly #start: State

  constructor(program: Program) {
    this.#program = program
    this.#start = newState([0], 'start')
  }

  matches(text: string): boolean {
    let state = this.#start
    for (let at = 0; at <= text.length; at++) {
      const code = at === text.length ? END : Math.min(text.charCodeAt(at), OTHER)
      const next = state.next[code] ?? this.#follow(state, code)
      if (next === 'matched') return true
      if (next === 'failed') return false
      state = next
    }
    return false
  }

  #follow(state: State, code: number): State | 'matched' | 'failed' {
    const next = this.#step(state, code)
    state.next[code] = next
    return next
  }

  #step(state: State, code: number): State | 'matched' | 'failed' {
    const places = new Set<number>()
    const open = [...state.places]
    const seen = new Set<number>()
    for (let place = open.pop(); place !== undefined; place = open.pop()) {
      if (seen.has(place)) continue
      seen.add(place)
      const instruction = this.#program[place]!
      if (instruction.kind === 'match') return 'matched'
      if (instruction.kind === 'fork') open.push(...instruction.to)
      else if (instruction.kind === 'set') {
        if (instruction.set[code] === 1) places.add(place + 1)
      } else if (holds(instruction.kind, state.before, code)) open.push(place + 1)
    }
    return code === END ? 'failed' : this.#stateOf(places.add(0), isWord(code) ? 'word' : 'other')
  }

  /** Place 0 is always among them: a match may begin anywhere. */
  #stateOf(places: ReadonlySet<number>, before: State['before']): State {
    const sorted = [...places].sort((a, b) => a - b)
    const key = `${before}${sorted.join()}`
    let state = this.#states.get(key)
    if (!state) {
      if (this.#states.size >= MAX_STATES) this.#forget()
      state = newState(sorted, before)
      this.#states.set(key, state)
    }
    return state
  }

  #forget(): void {
    for (const state of [this.#start, ...this.#states.values()]) state.next.fill(undefined)
    this.#states.clear()
  }
}

function newState(places: readonly number[], before: State['before']): State {
  return { places, before, next: new Array(END + 1).fill(undefined) }
}

function holds(assertion: 'start' | 'end' | 'edge' | 'inside', before: State['before'], code: number): boolean {
  if (assertion === 'start') return before === 'start'
  if (assertion === 'end') return code === END
  const isEdge = (before === 'word') !== isWord(code)
  return isEdge === (assertion === 'edge')
}

function isWord(code: number): boolean {
  return code < OTHER && /\w/.test(String.fromCharCode(code))
}
