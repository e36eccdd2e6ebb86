import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { suites } from './suites.ts'

/** Brings the public suites, each at its commit and without its history, into a folder outside of the project. */
const { values } = parseArgs({
  options: { suites: { type: 'string' }, from: { type: 'string', default: 'https://github.com' } },
})
const folder = values.suites ?? process.env.ORBWEAVER_SUITES
if (folder === undefined) {
  console.error('Say where the public suites shall be: node conformance/fetch.ts --suites DIR')
  process.exit(2)
}

const states = new Map(suites.map(({ repository, commit }) => [repository, commit]))
for (const [repository, commit] of states) {
  const place = join(resolve(folder), repository)
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', place, ...args], { stdio: ['ignore', 'ignore', 'inherit'] })
  if (!existsSync(place)) {
    mkdirSync(place, { recursive: true })
    git('init', '--quiet')
  }
  git('fetch', '--quiet', '--depth', '1', `${values.from}/${repository}`, commit)
  git('checkout', '--quiet', '--force', 'FETCH_HEAD')
  console.log(`${repository} at ${commit}`)
}
