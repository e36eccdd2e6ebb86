import * as z from 'zod'

const on = z.boolean().default(true)

/** Which wishes of pages are honoured. All of them, unless a crawl of one's own site needs otherwise. */
export const obeyConfig = z.strictObject({
  metaRobots: on.describe('Obey `<meta name=robots>` and `<meta name=orbweaver>`.'),
  xRobotsTag: on.describe('Obey the header `X-Robots-Tag`, with or without `orbweaver:` before its words.'),
  noindex: on.describe('Pages that ask for `noindex` are not searchable, and exported without their text.'),
  nofollow: on.describe('Links of pages that ask for `nofollow` are not followed.'),
  unavailableAfter: on.describe(
    'Pages that ask for `unavailable_after` count as `noindex` when they are visited after that moment.',
  ),
  rel: z
    .array(z.enum(['nofollow', 'ugc', 'sponsored']))
    .default(['nofollow', 'ugc', 'sponsored'])
    .describe('Links with one of these words in their `rel` are not followed.'),
  canonical: on.describe(
    'The canonical URL that a page names is followed like a link. The page itself is kept, wherever that leads.',
  ),
})

export type ObeyConfig = z.infer<typeof obeyConfig>
