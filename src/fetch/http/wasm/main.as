import { alignToByte, beginBits, goOnFrom, inputEnd, refill, take, unreadBytes } from './bits'
import { beginCodes, fillMeanings, readCodes, useFixedCodes } from './codes'
import { INPUT, OUTPUT } from './layout'
import { readSymbols } from './symbols'

export { unreadBytes } from './bits'

/** Kinds of blocks. */
const STORED: u32 = 0
const FIXED: u32 = 1
const DYNAMIC: u32 = 2

fillMeanings()

/**
 * Inflates what lies at `INPUT` to `OUTPUT`. Answers how many bytes came of it, or -1: the data are broken, end early,
 * or need more room. An early end is noticed late: what lies behind is read, and means nothing.
 */
export function inflate(inputBytes: u32, maxOutputBytes: u32): i32 {
  beginBits(INPUT, INPUT + inputBytes)
  beginCodes()
  const outputEnd: usize = OUTPUT + maxOutputBytes
  let output: usize = OUTPUT
  let isLast = false
  while (!isLast) {
    refill()
    isLast = take(1) != 0
    output = readBlock(take(2), output, outputEnd)
    if (output == 0 || output > outputEnd || unreadBytes() < 0) return -1
  }
  return <i32>(output - OUTPUT)
}

/** Where the output ends now; 0: the block is broken. */
function readBlock(kind: u32, output: usize, outputEnd: usize): usize {
  if (kind == STORED) return copyStored(output, outputEnd)
  if (kind > DYNAMIC || !(kind == FIXED ? useFixedCodes() : readCodes())) return 0
  return readSymbols(output, outputEnd)
}

function copyStored(output: usize, outputEnd: usize): usize {
  const at = alignToByte()
  const bytes: usize = load<u16>(at)
  const from = at + 4
  const isSound = (bytes ^ 0xffff) == <usize>load<u16>(at, 2) && from + bytes <= inputEnd()
  if (!isSound || output + bytes > outputEnd) return 0
  memory.copy(output, from, bytes)
  goOnFrom(from + bytes, 0, 0)
  return output + bytes
}
