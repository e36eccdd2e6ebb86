import type { Charset } from '../charset.ts'
import type { Character, Route } from '../host.ts'
import type { Language } from '../languages.ts'
import { prose } from '../prose.ts'
import { loosePage, site } from '../site.ts'

const speakers: readonly (readonly [Charset, Language])[] = [
  ['utf-8', 'en'],
  ['utf-8', 'ar'],
  ['utf-8', 'ko'],
  ['utf-16le', 'ru'],
  ['utf-16be', 'fr'],
  ['iso-8859-1', 'de'],
  ['iso-8859-1', 'es'],
  ['iso-8859-2', 'pl'],
  ['iso-8859-2', 'cs'],
  ['iso-8859-5', 'ru'],
  ['windows-1251', 'ru'],
  ['windows-1252', 'sv'],
  ['windows-1252', 'pt'],
  ['windows-1256', 'ar'],
  ['koi8-r', 'ru'],
  ['shift_jis', 'ja'],
  ['euc-jp', 'ja'],
  ['gb18030', 'zh'],
  ['big5', 'zh-TW'],
  ['euc-kr', 'ko'],
]

/** Charsets that bytes alone betray, given enough of them. */
const selfEvident: readonly Charset[] = ['utf-8', 'utf-16le', 'utf-16be', 'shift_jis', 'windows-1251']

/** The same few stories in many languages and charsets: declared by header, by meta tag, by byte order mark or not at all. */
export const multilingual: Character = (host, world) => {
  const routes = speakers.flatMap(([charset, lang]): Route[] => {
    const place = `${charset}/${lang}`
    const hasMark = charset.startsWith('utf-16')
    const page = (way: 'header' | 'meta' | 'bare'): Route => {
      const path = `/${way}/${place}`
      const meta = `<meta http-equiv="Content-Type" content="text/html; charset=${charset}">`
      return {
        path,
        document: loosePage(host, world, path, {
          ...prose([world.seed, host.name, path], lang, 10),
          lang,
          charset: '',
          encodeAs: charset,
          contentType: way === 'header' ? `text/html; charset=${charset}` : 'text/html',
          head: way === 'meta' ? meta : '',
        }),
      }
    }
    const ways = [page('header')]
    if (!hasMark) ways.push(page('meta'))
    if (selfEvident.includes(charset)) ways.push(page('bare'))
    return ways
  })
  return site(host, world, { routes })
}
