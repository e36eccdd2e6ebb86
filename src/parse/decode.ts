import { big5ToUtf8, eucKrToUtf8 } from './double-byte.ts'
import { windows1252ToUtf8 } from './utf8.ts'

/** Bytes in an encoding, by its name in the WHATWG standard, → UTF-8. What is in UTF-8 is not copied. */
export function decode(bytes: Buffer, charset: string): Buffer {
  switch (charset) {
    case 'utf-8':
      return bytes
    case 'windows-1252':
      return windows1252ToUtf8(bytes)
    case 'big5':
      return big5ToUtf8(bytes)
    case 'euc-kr':
      return eucKrToUtf8(bytes)
    // The standard's answer to encodings that were only ever used for attacks.
    case 'replacement':
      return Buffer.from(bytes.length === 0 ? '' : '\ufffd')
    default:
      return Buffer.from(new TextDecoder(charset).decode(bytes))
  }
}
