/**
 * Text → bytes in the charsets of the old web. Node only encodes UTF-8 but decodes them all, so a table is made once for
 * each by decoding every code. Characters that a charset lacks become numeric references, as browsers do in forms.
 */
export const charsets = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'iso-8859-1',
  'iso-8859-2',
  'iso-8859-5',
  'windows-1251',
  'windows-1252',
  'windows-1256',
  'koi8-r',
  'shift_jis',
  'euc-jp',
  'gb18030',
  'big5',
  'euc-kr',
] as const

export type Charset = (typeof charsets)[number]

const doubleByte = new Set<Charset>(['shift_jis', 'euc-jp', 'gb18030', 'big5', 'euc-kr'])
const tables = new Map<Charset, Map<string, Buffer>>()

/** UTF-16 begins with its byte order mark. */
export function encoded(text: string, charset: Charset): Buffer {
  if (charset === 'utf-8') return Buffer.from(text)
  if (charset === 'utf-16le') return Buffer.from(`\ufeff${text}`, 'utf16le')
  if (charset === 'utf-16be') return Buffer.from(`\ufeff${text}`, 'utf16le').swap16()
  const table = tables.get(charset) ?? tableOf(charset)
  tables.set(charset, table)
  return Buffer.concat(
    Array.from(text, (character) => {
      if (character < '\u0080') return Buffer.from(character)
      return table.get(character) ?? Buffer.from(`&#${character.codePointAt(0)};`)
    }),
  )
}

function tableOf(charset: Charset): Map<string, Buffer> {
  const decoder = new TextDecoder(charset)
  const table = new Map<string, Buffer>()
  const learn = (code: Buffer) => {
    const character = decoder.decode(code)
    const isOne = [...character].length === 1 && character >= '\u0080' && character !== '\ufffd'
    if (isOne && !table.has(character)) table.set(character, code)
  }
  for (let high = 0x80; high <= 0xff; high++) {
    learn(Buffer.of(high))
    if (doubleByte.has(charset)) for (let low = 0x40; low <= 0xfe; low++) learn(Buffer.of(high, low))
  }
  return table
}
