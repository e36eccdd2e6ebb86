import type { Terminal } from '../cli/command.ts'
import { dim } from '../cli/terminal.ts'
import { showCount, showDuration } from '../cli/units.ts'

/** Says what a long benchmark is at: one line that is drawn over on a terminal, a line now and then elsewhere. */
export class BenchProgress {
  readonly #terminal: Terminal
  readonly #write: (text: string) => void
  readonly #everyMs: number
  #startedAt = Date.now()
  #shownAt = 0
  #step = ''
  #isDrawn = false

  constructor(terminal: Terminal, write: (text: string) => void = (text) => process.stderr.write(text)) {
    this.#terminal = terminal
    this.#write = write
    this.#everyMs = terminal.isInteractive ? 200 : 10_000
  }

  /** Begins a step, such as `one-host, round 2 of 3`. */
  begin(step: string): void {
    this.#step = step
    this.#startedAt = this.#shownAt = Date.now()
    this.#draw(step)
  }

  at(done: number, all: number, noun: string): void {
    if (Date.now() - this.#shownAt < this.#everyMs) return
    this.#shownAt = Date.now()
    this.#draw(
      `${this.#step}: ${showCount(done)} of ${showCount(all)} ${noun}, ${showDuration(Date.now() - this.#startedAt)}`,
    )
  }

  /** Makes room for other words. */
  end(): void {
    if (this.#isDrawn) this.#write('\r\u001b[2K')
    this.#isDrawn = false
  }

  #draw(text: string): void {
    if (!this.#terminal.isInteractive) {
      this.#terminal.note(text)
      return
    }
    this.#write(`\r\u001b[2K${dim(text.slice(0, this.#terminal.columns - 1))}`)
    this.#isDrawn = true
  }
}
