import { readFileSync } from 'node:fs'

/** What we use of the platform's WebAssembly, which TypeScript knows from the library of browsers only. */
interface WebAssembly {
  readonly Module: new (binary: Uint8Array) => Module
  readonly Instance: new (module: Module, imports: Readonly<Record<string, object>>) => { readonly exports: unknown }
  validate(binary: Uint8Array): boolean
}

/** Compiled code; opaque. */
type Module = object

export interface Memory {
  /** Another one after the memory has grown. */
  readonly buffer: ArrayBuffer
}

/** `undefined` on platforms without it. */
const webAssembly = (globalThis as { readonly WebAssembly?: WebAssembly }).WebAssembly

/**
 * A way to make instances of a compiled file, each with memory of its own; `undefined` where WebAssembly or its vector
 * instructions are not to be had, or not wanted.
 */
export function loadWasm<Exports>(file: URL): ((imports?: Readonly<Record<string, object>>) => Exports) | undefined {
  if (process.env.ORBWEAVER_NO_WASM === '1' || webAssembly === undefined) return undefined
  const { Module, Instance, validate } = webAssembly
  const binary = readFileSync(file)
  if (!validate(binary)) return undefined
  const module = new Module(binary)
  return (imports = {}) => new Instance(module, imports).exports as Exports
}
