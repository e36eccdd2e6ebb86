import type { Operation } from '../../../engines/opensearch/operation.ts'
import type { CanonicalUrl } from '../../../url/keys.ts'
import type { RecordWrite } from './record-write.ts'

/** What this process has put and the engine has not confirmed: whoever asks here sees it already. */
export class UnflushedWrites {
  readonly #byOperation = new Map<Operation, RecordWrite>()
  readonly #byUrl = new Map<CanonicalUrl, RecordWrite[]>()
  readonly #byContent = new Map<string, RecordWrite[]>()

  add(operation: Operation, write: RecordWrite): void {
    this.#byOperation.set(operation, write)
    addTo(this.#byUrl, write.url, write)
    if (write.fields?.contentHash) addTo(this.#byContent, write.fields.contentHash, write)
  }

  settle(operations: readonly Operation[]): void {
    for (const operation of operations) {
      const write = this.#byOperation.get(operation)
      if (!write) continue
      this.#byOperation.delete(operation)
      removeFrom(this.#byUrl, write.url, write)
      if (write.fields?.contentHash) removeFrom(this.#byContent, write.fields.contentHash, write)
    }
  }

  /** Oldest first. */
  of(url: CanonicalUrl): readonly RecordWrite[] {
    return this.#byUrl.get(url)?.slice() ?? []
  }

  /** Oldest first. */
  withContent(contentHash: string): readonly CanonicalUrl[] {
    return this.#byContent.get(contentHash)?.map(({ url }) => url) ?? []
  }
}

function addTo<Key>(map: Map<Key, RecordWrite[]>, key: Key, write: RecordWrite): void {
  const writes = map.get(key)
  if (writes) writes.push(write)
  else map.set(key, [write])
}

function removeFrom<Key>(map: Map<Key, RecordWrite[]>, key: Key, write: RecordWrite): void {
  const left = map.get(key)?.filter((one) => one !== write) ?? []
  if (left.length === 0) map.delete(key)
  else map.set(key, left)
}
