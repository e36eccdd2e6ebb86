import { pages } from '../../paths.ts'
import { Dialog } from './dialog.tsx'

export function ShortcutHelp({ close }: { close: () => void }) {
  return (
    <Dialog title="Shortcuts" close={close}>
      <dl class="facts">
        <dt>
          <kbd>/</kbd>
        </dt>
        <dd>Search</dd>
        <dt>
          <kbd>?</kbd>
        </dt>
        <dd>This list</dd>
        {pages.map(({ path, name, key }) =>
          key === null ? null : (
            <>
              <dt key={path}>
                <kbd>g</kbd> <kbd>{key}</kbd>
              </dt>
              <dd>{name}</dd>
            </>
          ),
        )}
      </dl>
      <div class="row">
        <button type="button" onClick={close}>
          Close
        </button>
      </div>
    </Dialog>
  )
}
