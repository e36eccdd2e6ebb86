import { useId } from 'preact/hooks'

interface FieldParts {
  readonly label: string
  readonly hint?: string
  readonly value: string
  readonly edit: (text: string) => void
}

export function NumberField({ label, hint, value, edit, step = '1' }: FieldParts & { step?: string }) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="number"
        min="0"
        step={step}
        inputMode="numeric"
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        value={value}
        onInput={({ currentTarget }) => edit(currentTarget.value)}
      />
      <Hint id={id} hint={hint} />
    </div>
  )
}

export function TextField({ label, hint, value, edit, placeholder }: FieldParts & { placeholder?: string }) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="text"
        spellcheck={false}
        placeholder={placeholder}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        value={value}
        onInput={({ currentTarget }) => edit(currentTarget.value)}
      />
      <Hint id={id} hint={hint} />
    </div>
  )
}

/** Several values, a line each. */
export function LinesField({ label, hint, value, edit, isRequired }: FieldParts & { isRequired?: boolean }) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea
        id={id}
        class="mono"
        spellcheck={false}
        required={isRequired}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        value={value}
        onInput={({ currentTarget }) => edit(currentTarget.value)}
      />
      <Hint id={id} hint={hint} />
    </div>
  )
}

interface ChoiceParts extends FieldParts {
  readonly options: readonly { readonly value: string; readonly name: string }[]
}

export function ChoiceField({ label, hint, value, edit, options }: ChoiceParts) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={({ currentTarget }) => edit(currentTarget.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.name}
          </option>
        ))}
      </select>
      <Hint id={id} hint={hint} />
    </div>
  )
}

function Hint({ id, hint }: { id: string; hint: string | undefined }) {
  if (hint === undefined) return null
  return (
    <span class="hint" id={`${id}-hint`}>
      {hint}
    </span>
  )
}
