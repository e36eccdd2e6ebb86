/** Figures of one stretch of time, looked at or not. */
export interface Window {
  readonly isLookedAt: boolean
  readonly pagesPerSecond: number
  /** Of one core. */
  readonly crawlerShare: number
  readonly apiShare: number
  readonly crawlerCpuMsOfPage: number
  /** Of the cores that all but the crawler share; 1: they had nothing to spare, and hold each other up. */
  readonly othersBusy: number
}

/** Quiet and looked at in turn, mirrored, so that whatever grows meets both alike: Q L L Q Q L L Q. */
export function turns(count: number): boolean[] {
  return Array.from({ length: count }, (_, n) => n % 4 === 1 || n % 4 === 2)
}

export interface Comparison {
  readonly quiet: number
  readonly lookedAt: number
  /** What is left of the throughput. */
  readonly share: number
}

export function compared(windows: readonly Window[], figure: keyof Omit<Window, 'isLookedAt'>): Comparison {
  const mean = (some: readonly Window[]) => some.reduce((sum, one) => sum + one[figure], 0) / some.length
  const quiet = mean(windows.filter(({ isLookedAt }) => !isLookedAt))
  const lookedAt = mean(windows.filter(({ isLookedAt }) => isLookedAt))
  return { quiet, lookedAt, share: lookedAt / quiet }
}

/** A line of `/proc/stat` → hundredths of a second that the core worked, and all of them. */
export function coreTimes(stat: string, core: string): { busy: number; all: number } {
  const line = stat.split('\n').find((one) => one.startsWith(`cpu${core} `)) ?? ''
  const [user = 0, nice = 0, system = 0, idle = 0, waiting = 0, ...rest] = line.split(' ').slice(1, 9).map(Number)
  const busy = user + nice + system + rest.reduce((sum, one) => sum + one, 0)
  return { busy, all: busy + idle + waiting }
}
