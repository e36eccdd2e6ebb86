import type { Character } from '../host.ts'
import { random } from '../random.ts'
import { site } from '../site.ts'

/** Takes `gapMs` (100) give or take a half before each answer, robots.txt excepted. */
export const slow: Character = (host, world) => ({
  ...site(host, world),
  latencyMs: ({ path }) => {
    const chance = random('latency', world.seed, host.name, path)
    return Math.round((host.spec.gapMs ?? 100) * (0.5 + chance.next() / 2 ** 32))
  },
})
