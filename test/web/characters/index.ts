import type { Character } from '../host.ts'
import { canonicals } from './canonicals.ts'
import { changing } from './changing.ts'
import { compressed } from './compressed.ts'
import { deadLinks } from './dead-links.ts'
import { duplicates } from './duplicates.ts'
import { files } from './files.ts'
import { flaky } from './flaky.ts'
import { hostile } from './hostile.ts'
import { listed } from './listed.ts'
import { mirrors } from './mirrors.ts'
import { misbehaving } from './misbehaving.ts'
import { multilingual } from './multilingual.ts'
import { polite } from './polite.ts'
import { rateLimited } from './rate-limited.ts'
import { redirecting } from './redirecting.ts'
import { robotsBroken } from './robots-broken.ts'
import { robotsGuarded } from './robots-guarded.ts'
import { robotsMeta } from './robots-meta.ts'
import { slow } from './slow.ts'
import { tlsBroken } from './tls-broken.ts'
import { traps } from './traps.ts'
import { unreachable } from './unreachable.ts'

/** Every kind of host there is, by the name that `HostSpec.character` gives it. */
export const characters = {
  polite,
  slow,
  flaky,
  'rate-limited': rateLimited,
  redirecting,
  'robots-guarded': robotsGuarded,
  'robots-broken': robotsBroken,
  'robots-meta': robotsMeta,
  canonicals,
  changing,
  duplicates,
  mirrors,
  traps,
  hostile,
  listed,
  misbehaving,
  'tls-broken': tlsBroken,
  unreachable,
  multilingual,
  files,
  compressed,
  'dead-links': deadLinks,
} satisfies Record<string, Character>

export type CharacterName = keyof typeof characters
