/** Where an export for a warehouse goes: a folder, or a bucket. Paths have forward slashes. */
export interface PartStore extends AsyncDisposable {
  /** A folder on this machine for files that are being written. */
  readonly spool: string
  /** Takes a file from the spool: it is under `path` whole, in place of what was there before, or not at all. */
  put(path: string, file: string): Promise<void>
  /** Every path that begins with `folder`, which ends in a slash. Empty where there is none. */
  list(folder: string): AsyncIterable<string>
  /** Nothing happens where there is none. */
  remove(path: string): Promise<void>
}
