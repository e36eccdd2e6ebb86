/** Text → Markdown that reads as that text: what could be taken for markup gets a backslash. */
export function escapeMarkdown(text: string): string {
  return text
    .replace(/[\\`*[\]]|<(?=[a-z/!?])|&(?=#|[a-z])|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/giu, '\\$&')
    .replace(/~~|\|/g, (found) => found.replace(/./g, '\\$&'))
}

/** The beginning of a line, where more characters have a meaning: `# `, `- `, `1. `, `> `. */
export function escapeLineStart(text: string): string {
  return text
    .replace(/^(#{1,6}(?=\s|$)|[+-](?=\s|$)|>|=+\s*$|-{3,}\s*$)/, '\\$1')
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2')
}

/** A code span or fence longer than any run of backticks inside. */
export function fence(code: string, atLeast: number): string {
  let longest = atLeast - 1
  for (const run of code.match(/`+/g) ?? []) longest = Math.max(longest, run.length)
  return '`'.repeat(longest + 1)
}

/** A destination; spaces and brackets would end it. Line breaks are no part of a URL. */
export function destination(url: string): string {
  return /[()\s<>]/.test(url) ? `<${url.replace(/[\s<>]/g, encodeURIComponent)}>` : url
}
