/** A worker, as far as pools and scaling look at it. */
export interface PoolWorker {
  readonly id: string
  /** The name of its machine, or of its pod. */
  readonly host: string
  readonly role: string
  /** What it tells of its work. */
  readonly stats: Readonly<Record<string, number | string>>
  readonly alive: boolean
  /** Since its last sign of life. */
  readonly silentMs: number
}

/** Whoever starts and ends workers: processes here, a deployment there. */
export interface WorkerPool extends AsyncDisposable {
  /** How many it was asked for last, as far as it knows. */
  size(): Promise<number>
  /**
   * Asks for so many workers. Resolves when that is under way, not when they run. Those that are too many are told to
   * leave: they end what is under way and hand back the rest. A second call with the same number changes nothing.
   */
  scaleTo(count: number): Promise<void>
  /** Whether a worker that the fleet knows was started by this pool. */
  owns(worker: Pick<PoolWorker, 'id' | 'host'>): boolean
  /**
   * Another process leads from now on, and starts what is needed by itself: workers that would end with this process leave
   * in order. Those that any leader can start and end stay. Answers how many leave; a second call changes nothing.
   */
  standDown(): Promise<number>
  /** Ends a worker that no longer does its work, at once; another takes its place. */
  replace(worker: Pick<PoolWorker, 'id' | 'host'>): Promise<void>
}
