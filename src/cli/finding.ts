/** What `doctor` says about one thing. `warn`: a crawl works, but something will bite later. */
export interface Finding {
  readonly level: 'ok' | 'warn' | 'bad'
  readonly what: string
  readonly says: string
}

export const ok = (what: string, says: string): Finding => ({ level: 'ok', what, says })
export const warn = (what: string, says: string): Finding => ({ level: 'warn', what, says })
export const bad = (what: string, says: string): Finding => ({ level: 'bad', what, says })
