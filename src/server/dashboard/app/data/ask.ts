import { useCallback, useEffect, useState } from 'preact/hooks'
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
 * earlier one are thrown away. An empty question is not asked.
 */
export function useAsk<Answer>(
  question: string,
  ask: (signal: AbortSignal) => Promise<Answer>,
  everyMs?: number,
): Asked<Answer> {
  const [known, know] = useState<Known<Answer>>({ question: '', answer: undefined, problem: undefined })
  const [turn, setTurn] = useState(0)
  const again = useCallback(() => setTurn((before) => before + 1), [])

  useEffect(() => {
    if (question === '') return
    const ending = new AbortController()
    ask(ending.signal).then(
      (answer) => ending.signal.aborted || know({ question, answer, problem: undefined }),
      (error: unknown) => {
        if (ending.signal.aborted) return
        noteLock(error)
        know((before) => ({
          question,
          answer: before.question === question ? before.answer : undefined,
          problem: inWords(error),
        }))
      },
    )
    return () => ending.abort()
  }, [question, turn])

  useEffect(() => {
    if (everyMs === undefined) return
    const timer = setInterval(again, everyMs)
    return () => clearInterval(timer)
  }, [everyMs, again])

  const isCurrent = known.question === question
  return {
    answer: isCurrent ? known.answer : undefined,
    problem: isCurrent ? known.problem : undefined,
    again,
  }
}
