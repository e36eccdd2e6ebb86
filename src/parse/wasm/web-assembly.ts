/** What we use of the platform's WebAssembly, which TypeScript knows from the library of browsers only. */
export interface WebAssembly {
  readonly Module: new (binary: Uint8Array) => Module
  readonly Instance: new (module: Module, imports: Readonly<Record<string, object>>) => { readonly exports: unknown }
  validate(binary: Uint8Array): boolean
}

/** Compiled code; opaque. */
export type Module = object

export interface Memory {
  /** Another one after the memory has grown. */
  readonly buffer: ArrayBuffer
}

/** `undefined` on platforms without it. */
export const webAssembly = (globalThis as { readonly WebAssembly?: WebAssembly }).WebAssembly
