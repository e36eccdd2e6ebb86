import { crc32 } from 'node:zlib'
import { type BloomLayer, bloomLayer } from './bloom-layer.ts'

/**
 * A set of fingerprints (safe integers) that may say "perhaps" wrongly once in a thousand times and never "no" wrongly.
 * It grows by layers, each twice as large and less often wrong than the one before, so that neither a guess that was too
 * small nor a crawl that goes on stops it; together they stay within the rate.
 */
export interface BloomFilter {
  /** Different fingerprints added. One in a thousand was taken for known and is not counted. */
  readonly count: number
  readonly bytes: number
  /** False: surely never added. */
  mayHave(fingerprint: number): boolean
  /** Answers whether it was surely new. */
  add(fingerprint: number): boolean
  /**
   * The parts of a file, which share memory with the filter: write them before the next `add`. `upTo` is the caller's
   * own mark of what the filter holds (a row, a moment): what came after it must be added again after loading.
   */
  save(upTo?: number): Uint8Array[]
}

export interface SavedBloom {
  readonly filter: BloomFilter
  readonly upTo: number
}

const FALSE_POSITIVES = 0.001
const MIN_CAPACITY = 1024
const MAGIC = 0x4f57424c
const VERSION = 1
const HEADER_BYTES = 24
const LAYER_BYTES = 16

export function bloomFilter(expected: number): BloomFilter {
  return filterOf([bloomLayer(Math.max(MIN_CAPACITY, Math.ceil(expected)), rateOf(0))])
}

/** `undefined`: damaged, cut short or of another version; then it must be built anew. */
export function loadBloom(file: Uint8Array): SavedBloom | undefined {
  if (file.length < HEADER_BYTES) return undefined
  const view = new DataView(file.buffer, file.byteOffset, file.length)
  if (view.getUint32(0) !== MAGIC || view.getUint32(4) !== VERSION) return undefined
  if (view.getUint32(8) !== crc32(file.subarray(12))) return undefined
  const layers: BloomLayer[] = []
  let at = HEADER_BYTES
  for (let index = 0; index < view.getUint32(12); index++) {
    if (at + LAYER_BYTES > file.length) return undefined
    const layer = bloomLayer(view.getFloat64(at), rateOf(index), view.getFloat64(at + 8))
    at += LAYER_BYTES
    if (at + layer.bits.length > file.length) return undefined
    layer.bits.set(file.subarray(at, at + layer.bits.length))
    at += layer.bits.length
    layers.push(layer)
  }
  return at === file.length && layers.length > 0 ? { filter: filterOf(layers), upTo: view.getFloat64(16) } : undefined
}

/** Half of the filter's rate for the layer that most crawls will do with; all later ones together get 3/10, to be sure. */
function rateOf(layer: number): number {
  return layer === 0 ? FALSE_POSITIVES / 2 : (FALSE_POSITIVES * 0.15) / 2 ** (layer - 1)
}

function filterOf(layers: BloomLayer[]): BloomFilter {
  let last = layers.at(-1)!

  function mayHave(fingerprint: number): boolean {
    // The newest layer is the largest: it knows most of what is known.
    for (let i = layers.length - 1; i >= 0; i--) if (layers[i]!.has(fingerprint)) return true
    return false
  }

  return {
    get count() {
      return layers.reduce((sum, layer) => sum + layer.count, 0)
    },
    get bytes() {
      return layers.reduce((sum, layer) => sum + layer.bits.length, 0)
    },
    mayHave,
    add(fingerprint) {
      for (let i = layers.length - 2; i >= 0; i--) if (layers[i]!.has(fingerprint)) return false
      if (!last.add(fingerprint)) return false
      if (last.count >= last.capacity) {
        last = bloomLayer(last.capacity * 2, rateOf(layers.length))
        layers.push(last)
      }
      return true
    },
    save: (upTo = 0) => saved(layers, upTo),
  }
}

/** Magic, version, checksum of all that follows, number of layers, mark; then for each layer capacity, count and bits. */
function saved(layers: readonly BloomLayer[], upTo: number): Uint8Array[] {
  const header = new DataView(new ArrayBuffer(HEADER_BYTES))
  header.setUint32(0, MAGIC)
  header.setUint32(4, VERSION)
  header.setUint32(12, layers.length)
  header.setFloat64(16, upTo)
  const parts: Uint8Array[] = [new Uint8Array(header.buffer)]
  for (const { capacity, count, bits } of layers) {
    const about = new DataView(new ArrayBuffer(LAYER_BYTES))
    about.setFloat64(0, capacity)
    about.setFloat64(8, count)
    parts.push(new Uint8Array(about.buffer), bits)
  }
  let checksum = crc32(parts[0]!.subarray(12))
  for (const part of parts.slice(1)) checksum = crc32(part, checksum)
  header.setUint32(8, checksum)
  return parts
}
