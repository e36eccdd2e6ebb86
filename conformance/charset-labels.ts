import { isAscii } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { toUtf8 } from '../src/parse/charset.ts'
import { labelOf } from '../src/parse/encodings.ts'
import { type Suite, Tally } from './suite.ts'

const FILES = ['tests1.dat', 'tests2.dat', 'test-yahoo-jp.dat', 'scripted/tests1.dat']

const SCRIPTS = 'a label inside a script or style is text of that element, and none of the page’s own'

/** Which encoding a page declares. Where it declares none, the suite expects the default of a western browser. */
export const pageLabels: Suite = {
  title: 'Charsets: encoding declarations of html5lib',
  subject: '`src/parse/charset.ts`',
  repository: 'html5lib/html5lib-tests',
  commit: '9329e64694e7835d0dcff9811e22856ef6ad16f9',
  paths: ['encoding'],
  run(folder) {
    const tally = new Tally()
    for (const file of FILES)
      for (const { body, expected } of casesIn(readFileSync(join(folder, 'encoding', file)))) {
        const { charset } = toUtf8(body, 'text/html')
        // Bytes of ASCII are the same in both, so the default of a browser's language is not ours to copy.
        const isDefault = expected === 'windows-1252' && charset === 'utf-8' && isAscii(body)
        const reason = /<(script|style)/i.test(body.toString('latin1')) ? SCRIPTS : undefined
        tally.check(charset === expected || isDefault, `${file}: ${JSON.stringify(`${body}`)}`, reason)
      }
    return tally
  },
}

function casesIn(file: Buffer): { readonly body: Buffer; readonly expected: string | undefined }[] {
  return `\n${file.toString('latin1')}`
    .split('\n#data\n')
    .slice(1)
    .map((text) => {
      const [data = '', encoding = ''] = text.split('\n#encoding\n')
      return { body: Buffer.from(data, 'latin1'), expected: labelOf(encoding.split('\n', 1)[0]!) }
    })
}
