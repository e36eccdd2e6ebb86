import type { PageText } from '../page-text.ts'
import { lastScanner } from './thread-scanner.ts'

/**
 * What `languageInTypeScript` answers, in half of the time, for the text of the document that was read last; `undefined`
 * for any other, and for letters that are not Latin.
 */
export function languageInWasm(text: PageText): string | undefined {
  const scanner = lastScanner()
  return scanner?.hasText(text) ? scanner.language() : undefined
}
