/** Why a certificate was not accepted, as a clause for people; `undefined`: that is not what went wrong. */
export function certificateFault(error: unknown, caSetting: string): string | undefined {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  const found = clauses.find(([words]) => words.test(`${code} ${message}`))
  return found?.[1].replace('{ca}', caSetting)
}

const clauses: readonly (readonly [words: RegExp, clause: string])[] = [
  [
    /SELF_SIGNED|UNABLE_TO_|CERT_SIGNATURE|self-signed certificate|unable to (?:verify|get)/,
    'its certificate is not trusted (name its authority in {ca})',
  ],
  [/ALTNAME_INVALID|does not match certificate/, 'its certificate is for another name than the one it is called by'],
  [/CERT_HAS_EXPIRED|certificate has expired/, 'its certificate has expired'],
]
