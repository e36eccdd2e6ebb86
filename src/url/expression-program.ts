import type { Syntax } from './expression-syntax.ts'

/** `set` takes one character; `fork` goes on at all its places; assertions go on if they hold. */
export type Instruction =
  | { readonly kind: 'set'; readonly set: Uint8Array; readonly to?: undefined }
  | { readonly kind: 'fork'; readonly to: number[]; readonly set?: undefined }
  | { readonly kind: 'start' | 'end' | 'edge' | 'inside' | 'match'; readonly set?: undefined; readonly to?: undefined }

export type Program = readonly Instruction[]

/** With URLs of 2,048 characters a match takes at most a million steps, some hundredths of a second. */
const MAX_INSTRUCTIONS = 500

export function expressionProgram(syntax: Syntax): Program {
  const program: Instruction[] = []
  emit(syntax, program)
  push(program, { kind: 'match' })
  return program
}

function push<T extends Instruction>(program: Instruction[], instruction: T): T {
  if (program.length >= MAX_INSTRUCTIONS) throw new SyntaxError('it is too large')
  program.push(instruction)
  return instruction
}

function fork(program: Instruction[], ...to: number[]): number[] {
  return push(program, { kind: 'fork', to }).to
}

function emit(syntax: Syntax, program: Instruction[]): void {
  switch (syntax.kind) {
    case 'set':
    case 'start':
    case 'end':
    case 'edge':
    case 'inside':
      push(program, syntax)
      return
    case 'sequence':
      for (const item of syntax.items) emit(item, program)
      return
    case 'choice':
      emitChoice(syntax.items, program)
      return
    case 'repeat':
      emitRepeat(syntax, program)
      return
    default:
      syntax satisfies never
  }
}

function emitChoice(items: readonly Syntax[], program: Instruction[]): void {
  const starts = fork(program)
  const ends: number[][] = []
  for (const item of items) {
    starts.push(program.length)
    emit(item, program)
    ends.push(fork(program))
  }
  for (const end of ends) end.push(program.length)
}

function emitRepeat({ item, min, max }: Extract<Syntax, { kind: 'repeat' }>, program: Instruction[]): void {
  for (let count = 0; count < min; count++) emit(item, program)
  if (max === Number.POSITIVE_INFINITY) {
    const again = program.length
    const exits = fork(program, again + 1)
    emit(item, program)
    fork(program, again)
    exits.push(program.length)
    return
  }
  const exits: number[][] = []
  for (let count = min; count < max; count++) {
    exits.push(fork(program, program.length + 1))
    emit(item, program)
  }
  for (const exit of exits) exit.push(program.length)
}
