import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'

interface DialogParts {
  readonly title: string
  readonly close: () => void
  readonly children: ComponentChildren
}

/** A question over the page. The browser keeps the focus inside and closes it on Escape. */
export function Dialog({ title, close, children }: DialogParts) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const before = document.activeElement
    dialog.current?.showModal()
    return () => before instanceof HTMLElement && before.focus()
  }, [])
  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={close}>
      <div class="form">
        <h2 id={id}>{title}</h2>
        {children}
      </div>
    </dialog>
  )
}

interface ConfirmParts {
  readonly title: string
  readonly text: string
  readonly verb: string
  readonly close: () => void
  readonly confirmed: () => void
}

export function Confirm({ title, text, verb, close, confirmed }: ConfirmParts) {
  return (
    <Dialog title={title} close={close}>
      <p>{text}</p>
      <div class="row">
        <button
          type="button"
          class="primary"
          onClick={() => {
            confirmed()
            close()
          }}
        >
          {verb}
        </button>
        <button type="button" onClick={close}>
          Cancel
        </button>
      </div>
    </Dialog>
  )
}
