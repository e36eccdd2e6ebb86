import { UsageError } from '../config/usage-error.ts'

/** An address as people may see it: without user and password, however badly they were written. */
export function withoutSecrets(address: string): string {
  return address.replace(/^([a-z]*:\/\/)?.*@/i, '$1').replace(/[?#].*$/, '')
}

/** User or password as written in an address. */
export function decoded(setting: string, text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    throw new UsageError(
      `${setting} has a "%" in its user or password that must be written as %25, or give them in settings of their own.`,
      { cause: error },
    )
  }
}
