/**
 * Loaded into the process that is measured, by `--import probe.ts?usage=FILE`: when it ends, says what it has used, in
 * that file. It does nothing while the process works.
 */
import { writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
import { helperMsOf, type ProcessUsage, writtenBytesBy } from './usage.ts'

const file = new URL(import.meta.url).searchParams.get('usage')
if (isMainThread && file !== null) process.once('exit', () => writeFileSync(file, JSON.stringify(usage())))

function usage(): ProcessUsage {
  const { user, system } = process.cpuUsage()
  return {
    cpuMs: (user + system) / 1000,
    peakRssBytes: process.resourceUsage().maxRSS * 1024,
    helperMs: helperMsOf('self'),
    writtenBytes: writtenBytesBy('self'),
  }
}
