import type { Redis } from 'ioredis'
import { type Random, random } from '../../../../test/web/random.ts'
import type { CanonicalUrl, HostKey } from '../../../url/keys.ts'
import type { Candidate } from '../../frontier.ts'

/** Bytes that Redis keeps, by what they are for: the last part of a key's name, without its number or host. */
export async function memoryByKind(client: Redis): Promise<ReadonlyMap<string, number>> {
  const bytes = new Map<string, number>()
  let cursor = '0'
  do {
    const [next, keys] = await client.scan(cursor, 'COUNT', 1000)
    const sizes = await Promise.all(keys.map((key) => client.memory('USAGE', key, 'SAMPLES', 0)))
    for (const [at, key] of keys.entries()) {
      const kind = /\}:(?:crawl:[^:]*:)?([a-z]+)/.exec(key)![1]!
      bytes.set(kind, (bytes.get(kind) ?? 0) + Number(sizes[at]))
    }
    cursor = next
  } while (cursor !== '0')
  return bytes
}

const words = 'about archive article audio blog books city contact event gallery garden guide history home house'.split(
  ' ',
)

/** A page as sites have them, found on the list of its folder or on a page beside it. */
export function likelyPage(host: HostKey, n: number, chance: Random = random('page', host, n)): Candidate {
  const word = () => chance.pick(words)
  const folder = `https://${host}/${word()}/${word()}`
  const url = `${folder}/${word()}-${word()}-${word()}-${100_000 + n}.html` as CanonicalUrl
  const beside = chance.chance(0.5) ? `${word()}-${word()}-${100_000 + chance.below(100_000)}.html` : ''
  const parent = `${folder}/${beside}` as CanonicalUrl
  return { url, host, band: 'low', depth: 3, parent, redirects: 0 }
}

export const likelyHost = (n: number): HostKey => `www.${words[n % words.length]}-${n}.example` as HostKey
