import type { Material } from './mutate.ts'

/** Code that reads what strangers have written. */
export interface Part extends Material {
  readonly name: string
  /** Throws when a promise does not hold; whatever else is thrown is a fault as well. */
  read(input: Buffer): void | Promise<void>
}

/** Throws with this sentence. */
export function promise(holds: boolean, sentence: string): asserts holds {
  if (!holds) throw new Error(`Broken promise: ${sentence}`)
}

export const buffers = (...texts: readonly string[]) => texts.map((text) => Buffer.from(text))
