import { explanation, headline, type Notifier } from './news.ts'
import { postJson } from './post.ts'

export interface SlackOptions {
  readonly url: string
  readonly mayBePrivate: boolean
}

/** Slack's incoming webhooks, and Mattermost's, Rocket.Chat's or Discord's (`/slack`), which read the same. */
export function slack({ url, mayBePrivate }: SlackOptions): Notifier {
  return {
    name: `chat at ${new URL(url).host}`,
    tell: (news) =>
      postJson({
        url,
        body: JSON.stringify({ text: escaped(`*${headline(news)}*\n${explanation(news)}`) }),
        mayBePrivate,
      }),
  }
}

/** These three are markup there. */
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
