import type { Character } from '../host.ts'
import { site } from '../site.ts'

/** All hosts of one entry serve the same bytes under the same paths. */
export const mirrors: Character = (host, world) =>
  site(host, world, { key: `mirrors of ${host.spec.name ?? host.spec.character}`, plain: true })
