import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { BASE } from '../src/dedup/tokens.ts'
import * as inflaterLayout from '../src/fetch/http/wasm/layout.ts'
import * as invert from '../src/index/adapters/embedded/invert.ts'
import * as logFormat from '../src/index/adapters/embedded/log-format.ts'
import { partBytes } from '../src/index/adapters/embedded/part-buffer.ts'
import { documentItem } from '../src/index/adapters/embedded/postings.ts'
import * as wordTableLayout from '../src/index/adapters/embedded/wasm/layout.ts'
import * as wordTable from '../src/index/adapters/embedded/word-table.ts'
import { Attribute } from '../src/parse/attributes.ts'
import * as classes from '../src/parse/byte-classes.ts'
import * as gramTable from '../src/parse/gram-table.ts'
import * as language from '../src/parse/language.ts'
import * as languageModel from '../src/parse/language-model.ts'
import * as shapes from '../src/parse/reference-shape.ts'
import * as tags from '../src/parse/tags.ts'
import { HIGH_CONTROLS } from '../src/parse/utf8.ts'
import * as scannerLayout from '../src/parse/wasm/layout.ts'
import * as words from '../src/parse/words.ts'

/**
 * Compiles `*.as`, which is AssemblyScript, to WebAssembly beside it: `node scripts/wasm.ts`. Numbers that a module shares
 * with its twin in TypeScript come from there, as the module `tables`.
 */
interface WasmModule {
  readonly name: string
  /** With `main.as` and `layout.ts`. */
  readonly folder: string
  /** Where the compiler may put constants. */
  readonly statics: number
  readonly tables: () => string
}

const root = resolve(import.meta.dirname, '..')

export const wasmModules: readonly WasmModule[] = [
  {
    name: 'inflater',
    folder: join(root, 'src/fetch/http/wasm'),
    statics: inflaterLayout.STATICS,
    tables: () => '',
  },
  {
    name: 'page-scanner',
    folder: join(root, 'src/parse/wasm'),
    statics: scannerLayout.STATICS,
    tables: scannerTables,
  },
  {
    name: 'word-table',
    folder: join(root, 'src/index/adapters/embedded/wasm'),
    statics: wordTableLayout.STATICS,
    tables: () => constants({ ...wordTable, ...invert, ...logFormat, documentItem, partBytes }),
  },
]

export const wasmFile = ({ folder, name }: WasmModule) => join(folder, `${name}.wasm`)

/** By a name that is only known when it runs: the compiler's own types would take the place of Node's everywhere. */
const compilerModule: string = 'assemblyscript/asc'

/** What we use of it. */
interface Compiler {
  main(args: readonly string[], host: CompilerHost): Promise<{ readonly error: Error | null }>
}

interface CompilerHost {
  readonly stdout: { write(text: string | Uint8Array): boolean }
  readonly stderr: { write(text: string | Uint8Array): boolean }
  readFile(name: string): string | null
  writeFile(name: string, content: string | Uint8Array): void
  listFiles?(): readonly string[]
}

export async function compile(module: WasmModule): Promise<Uint8Array> {
  // Only who compiles needs the compiler.
  const { default: asc } = (await import(compilerModule)) as { default: Compiler }
  const errors: string[] = []
  let binary: Uint8Array | undefined
  const { error } = await asc.main(['main.ts', '--outFile', 'out.wasm', ...optionsFor(module)], {
    stdout: { write: () => true },
    stderr: { write: (text: string | Uint8Array) => errors.push(String(text)) > 0 },
    readFile: (name: string) => sourceOf(module, name.replace(/\.ts$/, '')),
    writeFile: (_name: string, content: string | Uint8Array) => {
      if (typeof content !== 'string') binary = content
    },
    listFiles: () => [],
  })
  if (error || binary === undefined) throw new Error(errors.join('') || 'The compiler wrote nothing.', { cause: error })
  return binary
}

function optionsFor({ statics }: WasmModule): string[] {
  return [
    ...['--runtime', 'stub', '--optimizeLevel', '3', '--shrinkLevel', '0', '--converge', '--noAssert'],
    ...['--enable', 'simd', '--use', 'abort=', '--memoryBase', String(statics), '--initialMemory', '32'],
  ]
}

function sourceOf({ folder, tables }: WasmModule, name: string): string | null {
  if (name === 'tables') return tables()
  if (name === 'layout') return readFileSync(join(folder, 'layout.ts'), 'utf8')
  const file = join(folder, `${name}.as`)
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}

function scannerTables(): string {
  return [
    constants({ ...classes, ...shapes, ...tags, ...gramTable, ...language, ...languageModel, ...words, BASE }),
    namespace('Tag', tags.Tag),
    namespace('Attribute', Attribute),
    `export const HIGH_CONTROLS: usize = memory.data<u16>([${HIGH_CONTROLS}])`,
    `export const EACH_BYTE: usize = memory.data<u8>([${Array.from({ length: 256 }, (_, byte) => byte)}])`,
    `export const HIGH_HALVES: usize = memory.data<u8>([${halves((half) => (half < 8 ? 1 << half : 0))}], 16)`,
    `export const PLAIN_LOW_HALVES: usize = memory.data<u8>([${halves(plainHighHalves)}], 16)`,
    `export const POWERS: usize = memory.data<i32>([${powers(-2, 1, 65)}])`,
    `export const PAIR_FACTORS: usize = memory.data<i32>([${powers(0, -2, 32)}], 16)`,
  ].join('\n')
}

function halves(of: (half: number) => number): number[] {
  return Array.from({ length: 16 }, (_, half) => of(half))
}

/** A bit for each upper half with which this lower one makes a byte that is plain in URLs. */
function plainHighHalves(low: number): number {
  let bits = 0
  for (let high = 0; high < 8; high++)
    if ((classes.byteClasses[high * 16 + low]! & classes.PLAIN_IN_URL) !== 0) bits |= 1 << high
  return bits
}

/** Of `BASE`, modulo 2 ** 32, to which it is prime: so it has negative ones too. */
function powers(first: number, step: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => powerOfBase(first + i * step))
}

function powerOfBase(exponent: number): number {
  // The order of any odd number divides 2 ** 30.
  let power = 1
  let square: number = BASE
  for (let rest = exponent >>> 0; rest !== 0; rest >>>= 1) {
    if (rest & 1) power = Math.imul(power, square)
    square = Math.imul(square, square)
  }
  return power
}

/** Those members that are numbers. */
function constants(members: object): string {
  return Object.entries(members)
    .flatMap(([name, value]) => (typeof value === 'number' ? [constant(name, value)] : []))
    .join('\n')
}

function namespace(name: string, members: Readonly<Record<string, number>>): string {
  // Names that are no identifiers (`xml:lang`, `class`) are asked for in TypeScript only.
  const constants = Object.entries(members)
    .map(([member, value]): [string, number] => [member.replace('http-equiv', 'httpEquiv'), value])
    .filter(([member]) => /^(?!class$)[a-z]\w*$/i.test(member))
  return `export namespace ${name} {\n${constants.map(([member, value]) => constant(member, value)).join('\n')}\n}`
}

function constant(name: string, value: number): string {
  return `export const ${name}: i32 = ${value}`
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  for (const module of wasmModules) {
    const binary = await compile(module)
    writeFileSync(wasmFile(module), binary)
    console.log(`${wasmFile(module)}: ${binary.length} bytes`)
  }
