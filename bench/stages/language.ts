import { detectLanguage } from '../../src/parse/language.ts'
import type { Stage, Way } from './measure.ts'
import { optional } from './optional.ts'

const SAMPLE_CHARS = 1000

const detecting = (name: string, detect: (text: string) => unknown): Way => ({
  name,
  open: () => ({ page: ({ page }) => detect(page.text) }),
})

/** Ours chooses paragraphs itself; the others are given the first thousand characters. */
const detectingStart = (name: string, detect: (text: string) => unknown): Way =>
  detecting(name, (text) => detect(text.slice(0, SAMPLE_CHARS)))

export const language: Stage = {
  name: 'language',
  async ways() {
    const eld = await optional<{ eld: { detect(text: string): unknown } }>('eld/small')
    const franc = await optional<{ franc(text: string): string }>('franc')
    const tinyld = await optional<{ detect(text: string): string }>('tinyld')
    return [
      detecting('ours', detectLanguage),
      ...(eld ? [detectingStart('eld', (text) => eld.eld.detect(text))] : []),
      ...(franc ? [detectingStart('franc', franc.franc)] : []),
      ...(tinyld ? [detectingStart('tinyld', tinyld.detect)] : []),
    ]
  },
}
