/** How often each thing was met, by its name. */
export type Counters = Record<string, number>

export function count(counters: Counters, name: string, times = 1): void {
  counters[name] = (counters[name] ?? 0) + times
}
