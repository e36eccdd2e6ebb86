import type { CurrentToken } from '../current-token.ts'
import { VALUE_ENDS, VALUE_STARTS } from './layout.ts'

/** The token that the scanner in WebAssembly stands at when it calls: places of attributes are in its memory. */
export class WasmToken implements CurrentToken {
  readonly bytes: Buffer
  tag = 0
  start = 0
  end = 0
  present = 0
  readonly #numbers: Int32Array

  constructor(bytes: Buffer, numbers: Int32Array) {
    this.bytes = bytes
    this.#numbers = numbers
  }

  has(attribute: number): boolean {
    return (this.present & (1 << attribute)) !== 0
  }

  valueStart(attribute: number): number {
    return this.#numbers[VALUE_STARTS / 4 + attribute]!
  }

  valueEnd(attribute: number): number {
    return this.#numbers[VALUE_ENDS / 4 + attribute]!
  }
}
