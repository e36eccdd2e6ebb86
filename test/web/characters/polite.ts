import type { Character } from '../host.ts'
import { site } from '../site.ts'

/** A plain site that answers at once. */
export const polite: Character = (host, world) => site(host, world)
