/** Words and postings are short: so much is copied without a call. */
const SHORT: usize = 128
/** What `copy` may read and write behind what is copied. */
export const copySlack: usize = 15

@inline export function copy(to: usize, from: usize, bytes: usize): void {
  if (bytes > SHORT) memory.copy(to, from, bytes)
  else for (let i: usize = 0; i < bytes; i += 16) v128.store(to + i, v128.load(from + i))
}
