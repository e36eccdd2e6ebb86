import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Charset, charsets, encoded } from './charset.ts'
import { languages } from './languages.ts'
import { prose } from './prose.ts'

const spoken: Partial<Record<Charset, readonly string[]>> = {
  'iso-8859-1': ['de', 'fr', 'es', 'sv', 'pt'],
  'iso-8859-2': ['pl', 'cs', 'de'],
  'iso-8859-5': ['ru'],
  'windows-1251': ['ru'],
  'windows-1252': ['de', 'fr', 'es'],
  'windows-1256': ['ar', 'en'],
  'koi8-r': ['ru'],
  shift_jis: ['ja', 'ru'],
  'euc-jp': ['ja'],
  gb18030: ['zh', 'ru'],
  big5: ['zh-TW'],
  'euc-kr': ['ko'],
}

test('what is encoded in a charset is decoded to the same text', () => {
  for (const charset of charsets)
    for (const language of languages) {
      if (spoken[charset] && !spoken[charset].includes(language)) continue
      const text = prose(['charset', charset], language, 3).paragraphs.join('\n')
      assert.equal(new TextDecoder(charset).decode(encoded(text, charset)), text, `${language} in ${charset}`)
    }
})

test('a character that the charset lacks becomes a numeric reference', () => {
  assert.equal(encoded('a🕷b', 'koi8-r').toString('latin1'), 'a&#128375;b')
})
