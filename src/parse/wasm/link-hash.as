/**
 * As in `reference-key.ts`: what the two ways take for the same must be the same. Each byte is a digit to the base 31; 16 at a time,
 * the first ones filled up with zeros in front, which change nothing.
 */
export function hashOf(from: usize, to: usize): i32 {
  const length = to - from
  const few = length & 15
  const kept = v128.load(KEPT + few)
  let hash = <i32>length * load<i32>(POWERS + few * 4) + digits(v128.and(v128.load(from + few - 16), kept))
  for (let at = from + few; at < to; at += 16) hash = hash * POWER_16 + digits(v128.load(at))
  return hash
}

@inline function digits(bytes: v128): i32 {
  const pairs = v128.load(PAIRS)
  const first = i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_u(bytes), pairs)
  const last = i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_u(bytes), pairs)
  const sums = i32x4.add(i32x4.mul(first, v128.load(FIRST)), i32x4.mul(last, v128.load(LAST)))
  const halves = i32x4.add(sums, v128.shuffle<i32>(sums, sums, 2, 3, 0, 1))
  return i32x4.extract_lane(halves, 0) + i32x4.extract_lane(halves, 1)
}

/** 31 to the power of 0 to 15. */
const POWERS: usize = memory.data<i32>([
  1, 31, 961, 29791, 923521, 28629151, 887503681, 1742810335,
  -1807454463, -196513505, -1796951359, 129082719, -293403007, -505558625, 1507551809, -510534177,
])
const POWER_16: i32 = 1353309697
/** Within four bytes; and by four bytes what is behind them. */
const PAIRS: usize = memory.data<i16>([29791, 961, 31, 1, 29791, 961, 31, 1], 16)
const FIRST: usize = memory.data<i32>([-293403007, -293403007, -1807454463, -1807454463], 16)
const LAST: usize = memory.data<i32>([923521, 923521, 1, 1], 16)
/** Zeros, then ones: from each place, as many ones at the end as bytes are kept. */
const KEPT: usize = memory.data<u8>([
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
])
