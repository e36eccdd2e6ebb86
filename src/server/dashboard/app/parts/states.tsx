import type { ComponentChildren } from 'preact'
import type { Asked } from '../data/ask.ts'

export function Empty({ children }: { children: ComponentChildren }) {
  return <div class="state">{children}</div>
}

export function Loading() {
  return (
    <div class="state loading" role="status">
      Loading…
    </div>
  )
}

export function Failed({ problem, again }: { problem: string; again?: () => void }) {
  return (
    <div class="notice bad" role="alert">
      <span>{problem}</span>
      {again && (
        <button type="button" onClick={again}>
          Try again
        </button>
      )}
    </div>
  )
}

/** What the server answered, or what there is to say while it has not. An old answer stays on the screen. */
export function Answered<Answer>({
  asked,
  children,
}: {
  asked: Asked<Answer>
  children: (answer: Answer) => ComponentChildren
}) {
  const { answer, problem, again } = asked
  return (
    <>
      {problem !== undefined && <Failed problem={problem} again={again} />}
      {answer !== undefined ? children(answer) : problem === undefined && <Loading />}
    </>
  )
}
