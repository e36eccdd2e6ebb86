/** Names of parameters whose values are nobody's business. */
const secretName =
  /token|secret|passw|pwd|apikey|api[-_]key|access[-_]?key|auth|signature|^sig$|^key$|session|credential|jwt/i

/** A URL as logs and traces may show it: without user, password and values of parameters that look like secrets. */
export function redactedUrl(url: string): string {
  const parsed = URL.parse(url)
  if (!parsed) return url.slice(0, 200)
  parsed.username = ''
  parsed.password = ''
  for (const name of new Set(parsed.searchParams.keys()))
    if (secretName.test(name)) parsed.searchParams.set(name, 'REDACTED')
  return parsed.href
}

/** What people wrote or engines said, without passwords inside of addresses and without values of secrets. */
export function redactedText(text: string): string {
  return text
    .replaceAll(/([a-z][a-z0-9+.-]*:\/\/)[^\s/@]+@/gi, '$1')
    .replaceAll(
      /\b((?:[\w-]*(?:token|secret|password|passwd|apikey|api_key|authorization)[\w-]*)["']?\s*[=:]\s*)(?:Bearer\s+|Basic\s+)?[^\s,;&"']+/gi,
      '$1REDACTED',
    )
}
