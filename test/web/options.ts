import type { CharacterName } from './characters/index.ts'
import type { Language } from './languages.ts'

/** Some hosts of one character. What a character does not know it ignores. */
export interface HostSpec {
  readonly character: CharacterName
  /** 1 unless given. */
  readonly count?: number
  /** `shop` gives `shop-1.test`, `shop-2.test`…, and `shop.test` when there is no count. The character's name unless given. */
  readonly name?: string
  /** Pages of the graph on each host, at least 1 (`/`); 12 unless given. */
  readonly pages?: number
  readonly https?: boolean
  /** Of text on each page; 5 unless given. */
  readonly paragraphs?: number
  /** Links to random pages of the host, on each page; 4 unless given. */
  readonly crossLinks?: number
  /** Inline script on each page, to make it as heavy as real ones; 0 unless given. */
  readonly ballastBytes?: number
  readonly language?: Language
  /** Human text about a subject in place of random words: see `topics/`. */
  readonly topic?: string
  /** Which of the character's ways its hosts have (in turn) or its URLs show; all unless given. */
  readonly kinds?: readonly string[]
  /** The host that this one redirects to, by name. */
  readonly target?: string
  /** Pause before each answer, crawl-delay or time between requests, as the character reads it. */
  readonly gapMs?: number
  /** What may come at once before a rate limit bites. */
  readonly burst?: number
  /** How often a flaky URL fails before it heals; 1 unless given. */
  readonly failures?: number
  /** Of its DNS answers; 300 unless given. */
  readonly ttlSeconds?: number
}

export interface WebOptions {
  /** `orbweaver` unless given. */
  readonly seed?: string
  readonly hosts: readonly HostSpec[]
  /** 0, the default, takes free ones. Page bytes contain the ports where hosts link to each other. */
  readonly httpPort?: number
  readonly httpsPort?: number
  /** All hosts on 127.0.0.1, told apart by name: the only way where there is no other loopback address. */
  readonly oneAddress?: boolean
}
