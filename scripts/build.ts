import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { bundleDashboard } from '../src/server/dashboard/bundle.ts'
import { bundleProgram } from './bundle-program.ts'

/** JavaScript with types in `dist/`, for publishing: the modules that library, program, demo and benchmark reach, and no test. */
const root = resolve(import.meta.dirname, '..')
const dist = join(root, 'dist')

rmSync(dist, { recursive: true, force: true })
const tsc = join(root, 'node_modules/.bin/tsc')
const { status, error } = spawnSync(tsc, ['-p', join(root, 'tsconfig.build.json')], { stdio: 'inherit' })
if (error) throw error
if (status !== 0) process.exit(status ?? 1)

// What modules read from beside themselves, by `new URL('./schema.sql', import.meta.url)`.
for (const file of globSync('src/**/*.{sql,lua,bin,wasm}', { cwd: root })) cpSync(join(root, file), join(dist, file))

const dashboard = join(dist, 'src/server/dashboard/built')
mkdirSync(dashboard, { recursive: true })
for (const [name, bytes] of await bundleDashboard()) writeFileSync(join(dashboard, name), bytes)

await bundleProgram(root, dist)
for (const main of ['src/cli/main.js', 'program/main.js']) chmodSync(join(dist, main), 0o755)
