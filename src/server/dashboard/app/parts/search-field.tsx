import { useState } from 'preact/hooks'

interface SearchFieldParts {
  readonly label: string
  readonly value: string
  readonly verb: string
  readonly placeholder?: string
  readonly submit: (text: string) => void
}

/** A field that searches when the reader says so. */
export function SearchField({ label, value, verb, placeholder, submit }: SearchFieldParts) {
  const [text, setText] = useState(value)
  const [shown, setShown] = useState(value)
  if (shown !== value) {
    setShown(value)
    setText(value)
  }
  return (
    <search class="search-form">
      <form
        class="search-form"
        onSubmit={(event) => {
          event.preventDefault()
          submit(text.trim())
        }}
      >
        <input
          type="search"
          aria-label={label}
          placeholder={placeholder ?? label}
          value={text}
          spellcheck={false}
          autocomplete="off"
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <button type="submit">{verb}</button>
      </form>
    </search>
  )
}
