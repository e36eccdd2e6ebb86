/**
 * Loaded into the process that is measured, by `--import probe.ts?usage=FILE`: when it ends, says what it has used, in
 * that file. It does nothing while the process works.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
import { helperOf, type ProcessUsage, writtenBytesOf } from './usage.ts'

const file = new URL(import.meta.url).searchParams.get('usage')
if (isMainThread && file !== null) process.once('exit', () => writeFileSync(file, JSON.stringify(usage())))

function usage(): ProcessUsage {
  const { user, system } = process.cpuUsage()
  const helperMs = { engine: 0, pool: 0 }
  for (const stat of threadStats()) {
    const helper = helperOf(stat)
    if (helper) helperMs[helper.kind] += helper.cpuMs
  }
  return {
    cpuMs: (user + system) / 1000,
    peakRssBytes: process.resourceUsage().maxRSS * 1024,
    helperMs,
    writtenBytes: process.platform === 'linux' ? writtenBytesOf(readFileSync('/proc/self/io', 'utf8')) : null,
  }
}

function threadStats(): string[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc/self/task').map((thread) => readFileSync(`/proc/self/task/${thread}/stat`, 'utf8'))
}
