import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A disk of a few kibibytes that is really full when it is full. */
export interface SmallDisk extends Disposable {
  readonly path: string
  resize(kib: number): void
}

/** `undefined`: this user may not mount anything. */
export function mountSmallDisk(kib: number): SmallDisk | undefined {
  const path = mkdtempSync(join(tmpdir(), 'orbweaver-disk-'))
  const mount = (...args: string[]) => execFileSync('mount', args, { stdio: 'pipe' })
  try {
    mount('-t', 'tmpfs', '-o', `size=${kib}k`, 'tmpfs', path)
  } catch (error) {
    rmdirSync(path)
    if (isRefusal(error)) return undefined
    throw error
  }
  return {
    path,
    resize: (to) => void mount('-o', `remount,size=${to}k`, path),
    [Symbol.dispose]() {
      execFileSync('umount', [path])
      rmdirSync(path)
    },
  }
}

function isRefusal(error: unknown): boolean {
  const { code, stderr } = error as { code?: string; stderr?: Buffer }
  return code === 'ENOENT' || /permi|superuser|denied|root/i.test(String(stderr))
}
