import { noteLock } from './session.ts'
import { store } from './store.ts'
import { inWords } from './words.ts'

export interface Notice {
  readonly tone: 'good' | 'bad'
  readonly text: string
}

/** What became of the last action. */
export const notice = store<Notice | null>(null)

let fading: ReturnType<typeof setTimeout> | undefined

export function tell(tone: Notice['tone'], text: string): void {
  clearTimeout(fading)
  notice.set({ tone, text })
  // A failure stays until it is put away: nobody should have to read fast.
  if (tone === 'good') fading = setTimeout(() => notice.set(null), 5000)
}

/** Does something and tells how it went. Answers whether it went well. */
export async function act(
  action: () => Promise<unknown>,
  done: string | ((answer: unknown) => string),
): Promise<boolean> {
  try {
    const answer = await action()
    tell('good', typeof done === 'string' ? done : done(answer))
    return true
  } catch (error) {
    if (!noteLock(error)) tell('bad', inWords(error))
    return false
  }
}
