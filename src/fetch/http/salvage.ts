import type { Gate } from '../../gate.ts'
import type { Coding } from './codings.ts'

export interface DecodeLimits {
  readonly maxBytes: number
  /** Output over input, once the output is over the floor. */
  readonly maxInflation: number
  /** Bodies that are decoded beside the loop take their turns here. Left out: they need not. */
  readonly lane?: Gate
  /** As of `FetchOptions`. */
  readonly givesBodyBack?: boolean
}

export const inflationFloorBytes = 1024 * 1024

export interface Salvage {
  readonly output: Buffer
  /** Of the input, at the moment when it ended. */
  readonly inputBytes: number
  /** `full`: the limit of size. `inflated`: the limit of inflation. `over`: nothing more to be had. */
  readonly end: 'full' | 'inflated' | 'over'
}

const sliceBytes = 16 * 1024

/**
 * Decodes slice by slice, so that inflation is seen while it happens, and keeps what came out before the input broke or
 * a limit was reached. Never rejects.
 */
export function salvage(coding: Coding, input: Buffer, limits: DecodeLimits): Promise<Salvage> {
  return new Promise((resolve) => {
    const { decoder, from } = coding.open(input)
    const chunks: Buffer[] = []
    let inputBytes = from
    let outputBytes = 0

    const finish = (end: Salvage['end']) => {
      decoder.destroy()
      const output = Buffer.concat(chunks)
      resolve({ output: output.subarray(0, limits.maxBytes), inputBytes, end })
    }
    const feed = () => {
      if (decoder.destroyed) return
      if (inputBytes >= input.length) return void decoder.end()
      const slice = input.subarray(inputBytes, inputBytes + sliceBytes)
      inputBytes += slice.length
      decoder.write(slice, feed)
    }

    decoder.on('data', (chunk: Buffer) => {
      if (decoder.destroyed) return
      chunks.push(chunk)
      outputBytes += chunk.length
      if (outputBytes > inflationFloorBytes && outputBytes > inputBytes * limits.maxInflation) finish('inflated')
      else if (outputBytes > limits.maxBytes) finish('full')
    })
    decoder.on('error', () => finish('over'))
    decoder.on('end', () => finish('over'))
    feed()
  })
}
