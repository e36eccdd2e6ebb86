import { inflateRawSync } from 'node:zlib'

/** Of one file in the archive, inflated. */
const MAX_FILE_BYTES = 64 * 1024 * 1024
const MAX_FILES = 10_000

/** The files of a zip archive, by name, each read when it is asked for. What is broken, encrypted or too large is not there. */
export class ZipFiles {
  readonly #archive: Buffer
  readonly #places = new Map<string, { method: number; at: number; bytes: number }>()

  constructor(archive: Buffer) {
    this.#archive = archive
    this.#readDirectory()
  }

  get names(): readonly string[] {
    return [...this.#places.keys()]
  }

  read(name: string): Buffer | undefined {
    const place = this.#places.get(name)
    const archive = this.#archive
    if (!place || place.at + 30 > archive.length || archive.readUInt32LE(place.at) !== 0x04034b50) return undefined
    const begin = place.at + 30 + archive.readUInt16LE(place.at + 26) + archive.readUInt16LE(place.at + 28)
    const packed = archive.subarray(begin, begin + place.bytes)
    if (place.method === 0) return packed
    if (place.method !== 8) return undefined
    try {
      return inflateRawSync(packed, { maxOutputLength: MAX_FILE_BYTES })
    } catch {
      return undefined
    }
  }

  #readDirectory(): void {
    const archive = this.#archive
    // The end of the directory stands before a comment of at most 64 KiB.
    const end = archive.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]))
    if (end < 0 || end + 22 > archive.length) return
    let at = archive.readUInt32LE(end + 16)
    while (at + 46 <= archive.length && archive.readUInt32LE(at) === 0x02014b50 && this.#places.size < MAX_FILES) {
      const nameBytes = archive.readUInt16LE(at + 28)
      const name = archive.toString('utf8', at + 46, at + 46 + nameBytes)
      const place = {
        method: archive.readUInt16LE(at + 10),
        at: archive.readUInt32LE(at + 42),
        bytes: archive.readUInt32LE(at + 20),
      }
      if (!this.#places.has(name)) this.#places.set(name, place)
      at += 46 + nameBytes + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32)
    }
  }
}
