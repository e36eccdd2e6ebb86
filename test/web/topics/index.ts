import { shuffled, type Text } from '../prose.ts'
import { random } from '../random.ts'
import { bread } from './bread.ts'
import { cheese } from './cheese.ts'
import { chess } from './chess.ts'
import { lighthouses } from './lighthouses.ts'
import { orchids } from './orchids.ts'
import { owls } from './owls.ts'
import { tea } from './tea.ts'
import { telescopes } from './telescopes.ts'
import type { Topic } from './topic.ts'
import { volcanoes } from './volcanoes.ts'

export const topics: Readonly<Record<string, Topic>> = {
  bread,
  cheese,
  chess,
  lighthouses,
  orchids,
  owls,
  tea,
  telescopes,
  volcanoes,
}

/** Page 0 is the home page; the others go through all things under the first aspect, then under the next. */
export function topicText(topic: Topic, keys: readonly (string | number)[], page: number): Text {
  const { home, things, aspects, remarks } = topic
  if (page === 0) return { title: home.title, description: home.text[0]!, paragraphs: home.text }
  const chance = random('topic', ...keys, page)
  const [thing, note] = things[(page - 1) % things.length]!
  const round = Math.floor((page - 1) / things.length)
  const aspect = aspects[round % aspects.length]!
  const fill = (text: string) =>
    text.replaceAll('{thing}', thing).replaceAll('{number}', () => String(3 + chance.below(60)))
  const volume = Math.floor(round / aspects.length)
  const title = fill(aspect.title) + (volume === 0 ? '' : ` (${volume + 1})`)
  const said = shuffled(aspect.sentences, chance).slice(0, 4).map(fill)
  const aside = shuffled(remarks, chance).slice(0, 4)
  const opening = `${thing} ${note}.`
  return {
    title: title.charAt(0).toUpperCase() + title.slice(1),
    description: opening,
    paragraphs: [
      `${opening} ${said[0]}`,
      `${said[1]} ${aside[0]} ${said[2]}`,
      `${aside[1]} ${said[3]}`,
      `${aside[2]} ${aside[3]}`,
    ],
  }
}
