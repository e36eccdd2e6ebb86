/** Chance that repeats: the same keys give the same sequence, on every machine. */
export interface Random {
  /** 0 ≤ n < 2^32, whole. */
  next(): number
  /** 0 ≤ n < limit, whole. */
  below(limit: number): number
  pick<T>(list: readonly T[]): T
  chance(probability: number): boolean
}

/** 128 bits from the keys (cyrb128) feed sfc32: 32 bits would let two of 100,000 pages read the same. */
export function random(...keys: readonly (string | number)[]): Random {
  let [a, b, c, d] = hash128(keys.join('\u0000'))
  const next = () => {
    const sum = (a + b + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (c << 21) | (c >>> 11)
    c = (c + sum) | 0
    return sum >>> 0
  }
  const below = (limit: number) => Math.floor((next() / 2 ** 32) * limit)
  return {
    next,
    below,
    pick: (list) => {
      const item = list[below(list.length)]
      if (item === undefined) throw new RangeError('nothing to pick from')
      return item
    },
    chance: (probability) => next() < probability * 2 ** 32,
  }
}

/** A word that no other keys give: eleven letters and digits, the first a letter. */
export function uniqueWord(...keys: readonly (string | number)[]): string {
  const [a, b] = hash128(keys.join('\u0000'))
  return `w${((a >>> 0) * 2 ** 20 + ((b >>> 0) & 0xfffff)).toString(36).padStart(10, '0')}`
}

function hash128(text: string): [number, number, number, number] {
  let a = 1779033703
  let b = 3144134277
  let c = 1013904242
  let d = 2773480762
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    a = b ^ Math.imul(a ^ code, 597399067)
    b = c ^ Math.imul(b ^ code, 2869860233)
    c = d ^ Math.imul(c ^ code, 951274213)
    d = a ^ Math.imul(d ^ code, 2716044179)
  }
  a = Math.imul(c ^ (a >>> 18), 597399067)
  b = Math.imul(d ^ (b >>> 22), 2869860233)
  c = Math.imul(a ^ (c >>> 17), 951274213)
  d = Math.imul(b ^ (d >>> 19), 2716044179)
  a ^= b ^ c ^ d
  return [a, b ^ a, c ^ a, d ^ a]
}
