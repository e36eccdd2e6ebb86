import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { toUtf8 } from './charset.ts'
import { labelOf } from './encodings.ts'

const bytes = (...parts: (string | readonly number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))))

function read(body: Buffer, contentType = 'text/html') {
  const { bytes: utf8, charset } = toUtf8(body, contentType)
  return { text: utf8.toString(), charset }
}

test('a byte order mark counts more than header and meta, and is no part of the text', () => {
  const meta = '<meta charset=koi8-r>é'
  assert.deepEqual(read(Buffer.from(`\ufeff${meta}`), 'text/html; charset=koi8-r'), { text: meta, charset: 'utf-8' })
  const wide = Buffer.from(`\ufeff${meta}`, 'utf16le')
  assert.deepEqual(read(wide, 'text/html; charset=koi8-r'), { text: meta, charset: 'utf-16le' })
  assert.deepEqual(read(Buffer.from(wide).swap16()), { text: meta, charset: 'utf-16be' })
})

test('the header counts more than meta, meta more than the XML declaration', () => {
  const body = bytes('<?xml version="1.0" encoding="windows-1251"?><meta charset=koi8-r>', [0xc1])
  assert.equal(read(body, 'text/html; charset=iso-8859-7').charset, 'iso-8859-7')
  assert.equal(read(body).charset, 'koi8-r')
  assert.equal(read(body, 'application/xhtml+xml').charset, 'windows-1251')
})

for (const meta of [
  '<meta charset=koi8-r>',
  '<META CHARSET = "KOI8-R" >',
  "<meta http-equiv='Content-Type' content='text/html; charset=koi8-r'>",
  '<meta content="text/html;charset=koi8-r;x" http-equiv=content-type>',
  '<!-- <meta charset=utf-8> --><title><meta charset=utf-8></title><meta charset=koi8-r>',
  `${' '.repeat(3000)}<meta charset=koi8-r>`,
])
  test(`finds the label in ${meta.trim().slice(0, 70)}`, () => {
    assert.deepEqual(read(bytes(meta, [0xc1])), { text: `${meta}а`, charset: 'koi8-r' })
  })

test('a label in the body or in a script is not one', () => {
  assert.equal(read(bytes('<body><meta charset=koi8-r>', [0xc3, 0xa9])).charset, 'utf-8')
  assert.equal(read(bytes('<script>"<meta charset=koi8-r>"</script>', [0xc3, 0xa9])).charset, 'utf-8')
})

test('a page that calls itself UTF-16 in ASCII is UTF-8', () => {
  assert.deepEqual(read(Buffer.from('<meta charset=utf-16>é')), { text: '<meta charset=utf-16>é', charset: 'utf-8' })
})

test('unknown labels are passed over', () => {
  assert.equal(read(Buffer.from('<meta charset=koi8-r>'), 'text/html; charset=nonsense').charset, 'koi8-r')
  assert.equal(read(Buffer.from('é'), 'text/html; charset=').charset, 'utf-8')
})

test('a label of UTF-8 that the bytes disprove is passed over, one bad byte disproves nothing', () => {
  const latin = bytes('<meta charset=windows-1252>', [0xe9, 0x20, 0xe8, 0x20, 0xfc])
  assert.equal(read(latin, 'text/html; charset=utf-8').charset, 'windows-1252')
  const torn = Buffer.concat([Buffer.from('héhé é'), Buffer.from([0xff])])
  assert.deepEqual(read(torn, 'text/html; charset=utf-8'), { text: 'héhé é\ufffd', charset: 'utf-8' })
})

test('windows-1252 keeps the euro sign and the quotes', () => {
  const body = bytes([0x80, 0x93, 0x94, 0xe9, 0xff, 0x81])
  assert.deepEqual(read(body, 'text/html; charset=latin1'), { text: '€“”éÿ\x81', charset: 'windows-1252' })
})

test('encodings that exist for attacks become one replacement character', () => {
  assert.deepEqual(read(bytes('<script>'), 'text/html; charset=iso-2022-kr'), {
    text: '\ufffd',
    charset: 'replacement',
  })
})

/** Names and a label of every encoding of the WHATWG standard. */
const ENCODINGS =
  `utf-8:unicode-1-1-utf-8 ibm866:cp866 iso-8859-2:latin2 iso-8859-3:latin3 iso-8859-4:latin4 iso-8859-5:cyrillic
  iso-8859-6:arabic iso-8859-7:greek iso-8859-8:hebrew iso-8859-8-i:logical iso-8859-10:latin6 iso-8859-13:iso885913
  iso-8859-14:iso885914 iso-8859-15:l9 iso-8859-16:iso-8859-16 koi8-r:koi koi8-u:koi8-ru macintosh:mac windows-874:tis-620
  windows-1250:cp1250 windows-1251:x-cp1251 windows-1252:ascii windows-1253:cp1253 windows-1254:latin5 windows-1255:cp1255
  windows-1256:cp1256 windows-1257:cp1257 windows-1258:cp1258 x-mac-cyrillic:x-mac-ukrainian gbk:gb2312 gb18030:gb18030
  big5:big5-hkscs euc-jp:x-euc-jp iso-2022-jp:csiso2022jp shift_jis:x-sjis euc-kr:ks_c_5601-1987 utf-16be:unicodefffe
  utf-16le:utf-16 x-user-defined:x-user-defined replacement:hz-gb-2312`
    .split(/\s+/)
    .map((pair) => pair.split(':') as [string, string])

test('every encoding of the standard is known by its name and its labels, in any case', () => {
  for (const [name, label] of ENCODINGS) {
    assert.equal(labelOf(name), name)
    assert.equal(labelOf(` ${label.toUpperCase()}\n`), name, label)
  }
})

test('every encoding gives valid Unicode for any bytes', () => {
  const labels = ENCODINGS.map(([name]) => name)
  fc.assert(
    fc.property(fc.constantFrom(...labels), fc.uint8Array({ maxLength: 300 }), (label, body) => {
      const { bytes: utf8 } = toUtf8(Buffer.from(body), `text/html; charset=${label}`)
      assert.ok(utf8.toString().isWellFormed())
    }),
    { numRuns: 2000 },
  )
})

/** The bytes of a text in a legacy encoding: the platform only decodes, so its tables are turned round. */
function encoded(text: string, encoding: string): Buffer {
  const decoder = new TextDecoder(encoding)
  const table = new Map<string, number[]>()
  const leads = Array.from({ length: 128 }, (_, i) => i + 128)
  for (let byte = 0; byte < 256; byte++) {
    const char = decoder.decode(Uint8Array.of(byte))
    if (char.length === 1 && char !== '\ufffd' && !table.has(char)) table.set(char, [byte])
  }
  for (const lead of leads)
    for (let trail = 0x40; trail < 256; trail++) {
      const char = decoder.decode(Uint8Array.of(lead, trail))
      if (char.length === 1 && char !== '\ufffd' && !table.has(char)) table.set(char, [lead, trail])
    }
  return Buffer.from([...text].flatMap((char) => table.get(char) ?? [0x3f]))
}

const RUSSIAN = 'Съешь же ещё этих мягких французских булок, да выпей чаю. Широкая электрификация южных губерний.'
const JAPANESE = 'いろはにほへと ちりぬるを わかよたれそ つねならむ。日本語の文章を書いています。'
const SAMPLES: [string, string][] = [
  ['windows-1251', RUSSIAN],
  ['koi8-r', RUSSIAN],
  ['iso-8859-5', RUSSIAN],
  ['shift_jis', JAPANESE],
  ['euc-jp', JAPANESE],
  ['gb18030', '天地玄黄，宇宙洪荒。日月盈昃，辰宿列张。我们正在用中文写一段话，这样就可以测试。'],
  ['big5', '天地玄黃，宇宙洪荒。日月盈昃，辰宿列張。我們正在用中文寫一段話，這樣就可以測試。'],
  [
    'euc-kr',
    '모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. 인간은 천부적으로 이성과 양심을 부여받았다.',
  ],
  [
    'windows-1252',
    'Voilà une phrase très française, où l’été dernier le garçon a dû répéter sa leçon. Ça suffit déjà.',
  ],
  [
    'windows-1250',
    'Všichni lidé rodí se svobodní a sobě rovní co do důstojnosti a práv. Jsou nadáni rozumem a svědomím.',
  ],
  ['windows-1253', 'Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα.'],
  ['windows-1255', 'כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם. כולם חוננו בתבונה ובמצפון.'],
  [
    'windows-1256',
    'يولد جميع الناس أحرارا متساوين في الكرامة والحقوق. وقد وهبوا عقلا وضميرا وعليهم أن يعامل بعضهم بعضا.',
  ],
  ['windows-1254', 'Bütün insanlar hür, haysiyet ve haklar bakımından eşit doğarlar. Akıl ve vicdana sahiptirler.'],
  ['windows-874', 'มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ ต่างมีเหตุผลและมโนธรรม'],
]

for (const [encoding, text] of SAMPLES)
  test(`detects ${encoding} where nothing is declared`, () => {
    const body = Buffer.concat([Buffer.from('<html><body><p>'), encoded(text.repeat(3), encoding), Buffer.from('</p>')])
    assert.ok(read(body).text.includes(text.slice(0, 30)), `taken for ${read(body).charset}`)
  })

test('iso-2022-jp is detected though it is all ASCII', () => {
  const body = bytes('<p>', [0x1b, 0x24, 0x42, 0x46, 0x7c, 0x4b, 0x5c, 0x38, 0x6c, 0x1b, 0x28, 0x42], '</p>')
  assert.equal(read(body).text, '<p>日本語</p>')
})

test('a page in UTF-8 is not copied', () => {
  const body = Buffer.from('<p>é')
  assert.equal(toUtf8(body, 'text/html; charset=utf-8').bytes, body)
  assert.equal(toUtf8(body, 'text/html').bytes, body)
})
