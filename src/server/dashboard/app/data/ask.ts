import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { noteLock } from './session.ts'
import { inWords } from './words.ts'

export interface Asked<Answer> {
  /** The latest answer; it stays while the same question is asked again. */
  readonly answer: Answer | undefined
  readonly problem: string | undefined
  again(): void
}

interface Known<Answer> {
  readonly question: string
  readonly answer: Answer | undefined
  readonly problem: string | undefined
}

/**
 * Asks the server when the question changes, and every so often if wished. `question` names what is asked: answers to an
 * earlier one are thrown away. An empty question is not asked. An answer is waited for however long it takes, and what
 * took long is asked less often: a busy server is not made busier by those who look.
 */
export function useAsk<Answer>(
  question: string,
  ask: (signal: AbortSignal) => Promise<Answer>,
  everyMs?: number,
): Asked<Answer> {
  const [known, know] = useState<Known<Answer>>({ question: '', answer: undefined, problem: undefined })
  const asking = useRef<() => void>(() => {})
  const again = useCallback(() => asking.current(), [])

  useEffect(() => {
    if (question === '') return
    const ending = new AbortController()
    const tell = (told: (before: Known<Answer>) => Known<Answer>) => ending.signal.aborted || know(told)
    const look = async () => {
      try {
        const answer = await ask(ending.signal)
        tell(() => ({ question, answer, problem: undefined }))
      } catch (error) {
        if (!ending.signal.aborted) noteLock(error)
        tell((before) => ({
          question,
          answer: before.question === question ? before.answer : undefined,
          problem: inWords(error),
        }))
      }
    }
    asking.current = repeating(look, everyMs, ending.signal)
    return () => ending.abort()
  }, [question, everyMs])

  const isCurrent = known.question === question
  return {
    answer: isCurrent ? known.answer : undefined,
    problem: isCurrent ? known.problem : undefined,
    again,
  }
}

/**
 * Looks now, and again after a while, one look at a time. What is answered looks at once: where one is under way, which
 * may have begun too early to see what the reader has just done, after that one.
 */
function repeating(look: () => Promise<void>, everyMs: number | undefined, signal: AbortSignal): () => void {
  let isLooking = false
  let onceMore = false
  let timer: ReturnType<typeof setTimeout> | undefined
  signal.addEventListener('abort', () => clearTimeout(timer))

  async function turn(): Promise<void> {
    clearTimeout(timer)
    isLooking = true
    const beganAt = performance.now()
    do {
      onceMore = false
      await look()
    } while (onceMore && !signal.aborted)
    isLooking = false
    const tookMs = performance.now() - beganAt
    if (everyMs !== undefined && !signal.aborted) timer = setTimeout(turn, Math.max(everyMs, 2 * tookMs))
  }

  void turn()
  return () => {
    if (isLooking) onceMore = true
    else if (!signal.aborted) void turn()
  }
}
