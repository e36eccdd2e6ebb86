import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { accessSync, constants, cpSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'

/** How the programs in a folder are made ready. */
export interface Recipe {
  readonly folder: string
  /** Commands, run in a copy of the folder. */
  steps(cache: string): readonly (readonly string[])[]
}

export type Built = { readonly place: string } | { readonly skipped: string }

/** Outside the tree: tool chains leave gigabytes behind. */
export const benchCache = process.env.ORBWEAVER_BENCH_CACHE ?? join(homedir(), '.cache/orbweaver-bench')

/** Builds once for each content of the folder. */
export function built(recipe: Recipe | undefined, needs: readonly string[]): Built {
  const missing = needs.filter((program) => !isThere(program))
  if (missing.length > 0) return { skipped: `${missing.join(', ')} is not installed` }
  if (recipe === undefined) return { place: benchCache }
  const source = join(import.meta.dirname, recipe.folder)
  const place = join(benchCache, `${recipe.folder}-${contentHash(source)}`)
  const stamp = join(place, '.built')
  if (existsSync(stamp)) return { place }
  mkdirSync(place, { recursive: true })
  cpSync(source, place, { recursive: true })
  for (const [program = '', ...args] of recipe.steps(benchCache)) {
    process.stderr.write(`${recipe.folder}: ${program} ${args.join(' ')}\n`)
    const { status, stderr, error } = spawnSync(program, args, { cwd: place, encoding: 'utf8' })
    if (status !== 0) return { skipped: `${program} failed: ${error?.message ?? stderr.trim().split('\n').at(-1)}` }
  }
  writeFileSync(stamp, '')
  return { place }
}

export function isThere(program: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => isExecutable(join(folder, program)))
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false
    throw error
  }
}

function contentHash(folder: string): string {
  const hash = createHash('sha256')
  for (const file of globSync('**/*.*', { cwd: folder }).sort())
    hash.update(file).update(readFileSync(join(folder, file)))
  return hash.digest('hex').slice(0, 12)
}
