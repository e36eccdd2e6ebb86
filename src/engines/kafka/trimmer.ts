import type { Kafka } from './connect.ts'
import { mayPass } from './faults.ts'
import type { Lane } from './lane.ts'

/**
 * Deletes what was handled long ago. Topics keep everything for ever otherwise, since a candidate may have to wait for
 * longer than any time that could be set.
 */
export class Trimmer {
  readonly #kafka: Kafka
  #isAllowed = true

  constructor(kafka: Kafka) {
    this.#kafka = kafka
  }

  async trim(lanes: readonly Lane[]): Promise<void> {
    const keep = BigInt(this.#kafka.config.keepHandled)
    const long = lanes.filter(({ committed, first }) => committed - first > 2n * keep)
    if (long.length === 0 || keep === 0n || !this.#isAllowed) return
    try {
      const topics = [...Map.groupBy(long, ({ topic }) => topic)].map(([name, ofTopic]) => ({
        name,
        partitions: ofTopic.map(({ partition, committed }) => ({ partition, offset: committed - keep })),
      }))
      await this.#kafka.admin.deleteRecords({ topics })
      for (const lane of long) lane.first = lane.committed - keep
    } catch (error) {
      // Space on a disk is no reason to stop a crawl: what could not be deleted now is deleted later, or stays.
      this.#isAllowed = mayPass(error)
    }
  }
}
