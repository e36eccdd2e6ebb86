import { execFile } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { EngineMissing } from './engine-missing.ts'

const execute = promisify(execFile)
const maxOutputBytes = 64 * 1024 * 1024

/** The first of these programs that can be run: on the PATH, or at one of the usual places besides. */
export function findProgram(names: readonly string[], usualFolders: readonly string[] = []): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...usualFolders].filter((folder) => folder !== '')
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable)
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

export interface ToolOptions {
  readonly cwd?: string
  readonly environment?: Readonly<Record<string, string>>
}

/** Runs a program to its end and gives what it printed; its failure says for which engine it was run. */
export async function runTool(title: string, program: string, args: readonly string[], options: ToolOptions = {}) {
  try {
    const { stdout } = await execute(program, [...args], {
      cwd: options.cwd,
      env: { ...process.env, ...options.environment },
      maxBuffer: maxOutputBytes,
    })
    return stdout
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    const lines = `${stderr}\n${stdout}`.split('\n').filter((line) => line.trim() !== '')
    const words = lines.slice(0, 3).join(' | ').slice(0, 600) || (error as Error).message
    throw new EngineMissing(`${title}: \`${program} ${args[0] ?? ''}\` failed: ${words}`, { cause: error })
  }
}
