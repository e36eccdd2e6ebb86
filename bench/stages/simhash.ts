import { simhash } from '../../src/dedup/simhash.ts'
import { Tokenizer } from '../../src/dedup/tokens.ts'
import type { Stage } from './measure.ts'

const tokenizer = new Tokenizer()

export const simhashes: Stage = {
  name: 'simhash',
  ways: async () => [
    { name: 'ours', open: () => ({ page: ({ page }) => simhash(page.text) }) },
    { name: 'its words alone', open: () => ({ page: ({ page }) => tokenizer.read(Buffer.from(page.text)) }) },
    { name: '64 counters over pairs of words', open: () => ({ page: ({ page }) => plainSimhash(page.text) }) },
  ],
}

/** As papers have it: one counter for each bit. */
function plainSimhash(text: string): readonly number[] {
  const { count, hashes } = tokenizer.read(Buffer.from(text))
  const sums = new Array<number>(64).fill(0)
  for (let i = 0; i + 1 < count; i++) {
    const high = Math.imul(hashes[i]!, 31) + hashes[i + 1]!
    const low = Math.imul(high, 0x2c1b3c6d)
    for (let bit = 0; bit < 32; bit++) {
      sums[bit]! += (high >>> bit) & 1 ? 1 : -1
      sums[32 + bit]! += (low >>> bit) & 1 ? 1 : -1
    }
  }
  return sums
}
