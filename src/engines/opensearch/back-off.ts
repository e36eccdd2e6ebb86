const FIRST_MS = 1000
const LONGEST_MS = 5000

/** The wait after so many failures in a row: short enough that work goes on within seconds of the engine's return. */
export function backOffMs(failures: number): number {
  return Math.min(FIRST_MS * 2 ** Math.max(0, failures - 1), LONGEST_MS)
}
