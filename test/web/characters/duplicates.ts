import { document } from '../document.ts'
import type { Character, Route } from '../host.ts'
import { prose } from '../prose.ts'
import { uniqueWord } from '../random.ts'
import { loosePage, site } from '../site.ts'

/** Long enough that a fingerprint of the text hardly moves when one word does. */
const longParagraphs = 50

/** Three pages that exist three times byte for byte, and three long ones whose copies differ in one number. */
export const duplicates: Character = (host, world) => {
  const exact = [1, 2, 3].flatMap((number): Route[] => {
    const copy = loosePage(host, world, `/exact/${number}`, { duplicateGroup: `${host.name} exact ${number}` })
    return ['a', 'b', 'c'].map((letter) => ({ path: `/exact/${number}/${letter}`, document: copy }))
  })
  const near = [1, 2, 3].flatMap((number): Route[] =>
    [101, 202, 303].map((visitors) => {
      const { paragraphs, ...text } = prose([world.seed, host.name, 'near', number], 'en', longParagraphs)
      return {
        path: `/near/${number}/${visitors}`,
        document: document({
          ...text,
          paragraphs: [...paragraphs, `${visitors} readers`],
          lang: 'en',
          charset: 'utf-8',
          marker: uniqueWord('near', world.seed, host.name, number),
          links: [{ href: '/' }],
          nearGroup: `${host.name} near ${number}`,
        }),
      }
    }),
  )
  return site(host, world, { routes: [...exact, ...near] })
}
