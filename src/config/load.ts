import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type * as z from 'zod'
import { type Config, configSchema } from './schema.ts'
import { settings } from './settings.ts'
import { UsageError } from './usage-error.ts'

const require = createRequire(import.meta.url)

/** Loaded when there is something to parse: its 70 files are a tenth of what a crawl loads. */
const parseYaml = (text: string): unknown => (require('yaml') as typeof import('yaml')).parse(text)

export type Tree = { [key: string]: unknown }

export interface ConfigSources {
  /** What an earlier load was given: everything else is laid over it. */
  readonly base?: Tree
  /** Path of a YAML or JSON file. */
  readonly file?: string | undefined
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** Values by dotted setting name, from the command line or a library call. They win over environment and file. */
  readonly overrides?: Readonly<Record<string, unknown>>
}

/** The configuration, and what of it was given (not by default): enough to load the same again. */
export interface LoadedConfig {
  readonly config: Config
  readonly given: Tree
}

/** By what they were loaded from, which nobody changes afterwards. */
const loaded = new WeakMap<object, Config>()

/** The configuration of a crawl from the settings in its orders; the same object for the same settings. */
export function configOfOrders({ config: given }: { readonly config: unknown }): Config {
  const known = loaded.get(given as Tree)
  if (known) return known
  const { config } = loadConfig({ base: given as Tree })
  loaded.set(given as Tree, config)
  return config
}

/** File, environment and overrides → the whole configuration; or a UsageError that names every fault at once. */
export function loadConfig(sources: ConfigSources = {}): LoadedConfig {
  const tree: Tree = structuredClone(sources.base ?? {})
  if (sources.file) merge(tree, readConfigFile(sources.file))
  const faults = sources.environment ? applyEnvironment(tree, sources.environment) : []
  for (const [name, value] of Object.entries(sources.overrides ?? {}))
    if (value !== undefined) assign(tree, name, value)
  const parsed = configSchema.safeParse(tree)
  if (!parsed.success) faults.push(...parsed.error.issues.flatMap(explain))
  if (faults.length > 0 || !parsed.success) throw new UsageError(faults.join('\n'))
  return { config: parsed.data, given: tree }
}

function readConfigFile(path: string): Tree {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (cause) {
    throw new UsageError(`Configuration file ${path} cannot be read: ${(cause as Error).message}.`, { cause })
  }
  let value: unknown
  try {
    value = parseYaml(text)
  } catch (cause) {
    const [line] = (cause as Error).message.split('\n')
    throw new UsageError(`Configuration file ${path} is neither YAML nor JSON: ${line}`, { cause })
  }
  if (value === null || value === undefined) return {}
  if (!isTree(value))
    throw new UsageError(
      `Configuration file ${path} must hold settings by name, such as \`limits: { maxPages: 100 }\`.`,
    )
  return value
}

const prefix = 'ORBWEAVER_'

/** ORBWEAVER_FETCH_MAX_BODY_BYTES=… sets fetch.maxBodyBytes. Names that the program uses for itself are left alone. */
function applyEnvironment(tree: Tree, environment: Readonly<Record<string, string | undefined>>): string[] {
  const given = Object.entries(environment).filter(([variable]) => variable.startsWith(prefix) && !isOwn(variable))
  // Without any, the list of all settings, which takes a while to make, is not needed.
  if (given.length === 0) return []
  const faults: string[] = []
  const byVariable = new Map(settings().map((setting) => [environmentName(setting.name), setting]))
  for (const [variable, text] of given) {
    if (text === undefined) continue
    const setting = byVariable.get(variable)
    if (setting) assign(tree, setting.name, setting.type.startsWith('list') ? parseList(text) : parseScalar(text))
    else faults.push(`Environment variable ${variable} names no setting.${nearest(variable, [...byVariable.keys()])}`)
  }
  return faults
}

/** Variables that are ours but no settings of a crawl. */
const isOwn = (variable: string) =>
  ['ORBWEAVER_OUT', 'ORBWEAVER_TOKEN', 'ORBWEAVER_NO_WASM', 'ORBWEAVER_CORPUS'].includes(variable) ||
  /^ORBWEAVER_(TEST|BENCH)_/.test(variable)

export function environmentName(setting: string): string {
  return (
    prefix +
    setting
      .replaceAll('.', '_')
      .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
      .toUpperCase()
  )
}

/** `a,b` will do for a list, besides `[a, b]`. */
function parseList(text: string): unknown {
  const value = parseScalar(text)
  if (Array.isArray(value)) return value
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

function parseScalar(text: string): unknown {
  try {
    return parseYaml(text)
  } catch {
    return text
  }
}

function explain(issue: z.core.$ZodIssue): string[] {
  const at = issue.path.join('.')
  if (issue.code !== 'unrecognized_keys') return [`Setting ${at || '(top level)'}: ${issue.message}.`]
  const known = settings().map(({ name }) => name)
  return issue.keys.map((key) => {
    const name = at ? `${at}.${key}` : key
    return `Unknown setting ${name}.${nearest(name, known)}`
  })
}

/** ` Did you mean X?` when X is close. */
export function nearest(name: string, known: readonly string[]): string {
  let best: string | undefined
  let least = Math.max(2, Math.floor(name.length / 4)) + 1
  for (const candidate of known) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase(), least)
    if (distance < least) [best, least] = [candidate, distance]
  }
  return best ? ` Did you mean ${best}?` : ''
}

function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit
  let row = Array.from({ length: b.length + 1 }, (_, n) => n)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)))
    row = next
  }
  return row[b.length]!
}

function assign(tree: Tree, name: string, value: unknown): void {
  const keys = name.split('.')
  let at = tree
  for (const key of keys.slice(0, -1)) at = (at[key] ??= {}) as Tree
  at[keys.at(-1)!] = value
}

function merge(into: Tree, from: Tree): void {
  for (const [key, value] of Object.entries(from)) {
    if (isTree(value) && isTree(into[key])) merge(into[key], value)
    else into[key] = value
  }
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
