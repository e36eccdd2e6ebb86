import { useState } from 'preact/hooks'
import { enter, keepToken } from '../data/session.ts'
import { inWords } from '../data/words.ts'
import { Head } from './head.tsx'

/** Asks for a token, which is kept until the tab is closed. */
export function TokenForm() {
  const [token, setToken] = useState('')
  const [problem, setProblem] = useState('')
  async function submit(event: Event) {
    event.preventDefault()
    setProblem('')
    keepToken(token.trim())
    try {
      await enter()
      setProblem('This token is not known here.')
    } catch (error) {
      setProblem(inWords(error))
    }
  }
  return (
    <>
      <Head title="Sign in" />
      <form class="form panel" onSubmit={submit}>
        <label class="field">
          <span>Token</span>
          <input
            type="password"
            autocomplete="current-password"
            required
            value={token}
            onInput={({ currentTarget }) => setToken(currentTarget.value)}
          />
          <span class="hint">Whoever runs this server has it. It is kept until this tab is closed.</span>
        </label>
        {problem !== '' && (
          <div class="notice bad" role="alert">
            {problem}
          </div>
        )}
        <div class="row">
          <button type="submit" class="primary">
            Sign in
          </button>
        </div>
      </form>
    </>
  )
}
