import { readFileSync } from 'node:fs'
import { UsageError } from '../config/usage-error.ts'

/** What a setting names as a file; one that cannot be read is told by the name of the setting. */
export function contentOf(setting: string, path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    throw new UsageError(`${setting} cannot be read: ${(error as Error).message}.`, { cause: error })
  }
}

/** A secret from its own setting or, where one is named, from a file: editors end files with a line feed. */
export function secretOf(value: string, fileSetting: string, path: string): string {
  return path === '' ? value : contentOf(fileSetting, path).toString('utf8').trim()
}

/** Certificates to trust. A file without any would trust nobody, and leave one guessing why. */
export function certificatesOf(setting: string, path: string): Buffer {
  const content = contentOf(setting, path)
  if (!content.includes('-----BEGIN')) throw new UsageError(`${setting} holds no certificate in PEM: ${path}.`)
  return content
}
