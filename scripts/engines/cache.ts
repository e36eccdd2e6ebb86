import { existsSync, globSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** Tells people what takes long. */
export type Report = (line: string) => void

export const silently: Report = () => {}

export const cacheFolder = (environment: NodeJS.ProcessEnv = process.env) =>
  environment.ORBWEAVER_TEST_ENGINES_CACHE || join(homedir(), '.cache', 'orbweaver-engines')

/**
 * The folder of this name in the cache, made by `fill` if there is none. It appears whole or not at all, also when two
 * processes make it at once: then the second one's work is thrown away.
 */
export function cached(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(cacheFolder(), name)
  const waiting = underWay.get(folder) ?? findOrMake(folder, fill).finally(() => underWay.delete(folder))
  underWay.set(folder, waiting)
  return waiting
}

/** In this process; others are told apart by their id. */
const underWay = new Map<string, Promise<string>>()

async function findOrMake(folder: string, fill: (folder: string) => Promise<void>): Promise<string> {
  if (existsSync(folder)) return folder
  await removeLeftOver(folder)
  const unfinished = `${folder}.unfinished-${process.pid}`
  await mkdir(unfinished, { recursive: true })
  try {
    await fill(unfinished)
    await rename(unfinished, folder)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
  return folder
}

/** What processes that are no more have begun. */
async function removeLeftOver(folder: string): Promise<void> {
  for (const unfinished of globSync(`${folder}.unfinished-*`))
    if (!isAlive(Number(unfinished.split('-').at(-1)))) await rm(unfinished, { recursive: true, force: true })
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
