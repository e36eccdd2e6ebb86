/** A public set of cases, kept by others and read where it lies beside the project; none of it is copied into it. */
export interface Suite {
  readonly title: string
  /** What of ours it is held against. */
  readonly subject: string
  /** `owner/name` on GitHub, and the state that was read. */
  readonly repository: string
  readonly commit: string
  /** What of the repository is read. */
  readonly paths: readonly string[]
  /** `folder`: the repository, as far as `paths` go. */
  run(folder: string): Tally | Promise<Tally>
}

/** Counts cases. One that fails must have a reason, or it is a fault of ours. */
export class Tally {
  cases = 0
  passed = 0
  /** By reason: the cases that are decided otherwise here on purpose. */
  readonly exceptions = new Map<string, string[]>()
  readonly faults: string[] = []
  /** Shown under the suite's table row: shares, and what was not run. */
  readonly notes: string[] = []

  /** `reason`: why we answer otherwise, `undefined` if there is none. */
  check(passes: boolean, name: string, reason?: string): void {
    this.cases++
    if (passes) this.passed++
    else if (reason === undefined) this.faults.push(name)
    else this.exceptions.set(reason, [...(this.exceptions.get(reason) ?? []), name])
  }
}
