import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** More than any run uses, files that it writes included. */
const enoughMib = 2048
/** Left to what runs beside the bench. */
const leftMib = 1024

/**
 * Touches memory that nobody uses, and gives it back. A virtual machine gets memory from its host when it is first
 * touched, and may return it when it was free for a while. On ours that costs 8 to 11 µs for 4 KiB, five times what they
 * cost otherwise, and it would be counted to some runs and not to others. Answers how much it was (MiB).
 */
export function touchFreeMemory(mostMib = enoughMib): number {
  const mib = isVirtual() ? Math.max(0, Math.min(mostMib, freeMib() - leftMib)) : 0
  if (mib > 0) spawnSync(process.execPath, ['--eval', touch, String(mib)])
  return mib
}

/** For a process of its own, with which it becomes free again. */
const touch = `
const block = Buffer.allocUnsafeSlow(Number(process.argv[1]) * 2 ** 20)
for (let at = 0; at < block.length; at += 4096) block[at] = 1
`

function isVirtual(): boolean {
  return /^flags\s*:.*\bhypervisor\b/m.test(contentOf('/proc/cpuinfo'))
}

/** What is free, and this process may have: not what could be had by taking it from files. */
function freeMib(): number {
  const [, kib = '0'] = /^MemFree:\s+(\d+) kB/m.exec(contentOf('/proc/meminfo')) ?? []
  return Math.floor(Math.min(Number(kib) * 1024, process.availableMemory()) / 2 ** 20)
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
