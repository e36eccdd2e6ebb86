/** Lets at most so many tasks run at the same time; the others wait in the order of their arrival. */
export interface Gate {
  through<T>(task: () => Promise<T>): Promise<T>
}

export function gate(width: number): Gate {
  let inside = 0
  const waiting: (() => void)[] = []

  return {
    async through(task) {
      if (inside >= width) await new Promise<void>((enter) => waiting.push(enter))
      else inside++
      try {
        return await task()
      } finally {
        // The place passes straight to the next in line, so that nobody can slip in between.
        const next = waiting.shift()
        if (next) next()
        else inside--
      }
    },
  }
}
