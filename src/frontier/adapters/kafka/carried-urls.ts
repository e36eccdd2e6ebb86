import type { Clock } from '../../../clock.ts'
import type { Kafka } from '../../../engines/kafka/connect.ts'
import { readLag } from '../../../engines/kafka/lag.ts'
import type { BandCounts } from '../../bands.ts'
import { ensureUrlTopics, partitionsByName, urlGroup } from './url-topics.ts'

/** What the topics of a crawl hold and nobody has admitted yet, for those who look on. Some of it may be known already. */
export interface CarriedUrls extends AsyncDisposable {
  /** Rejects when the brokers are away. */
  byBand(): Promise<BandCounts>
}

/** A topic that was just created is unknown to some brokers for a moment. */
const patienceMs = 5000

export async function openCarriedUrls(kafka: Kafka, crawl: string, clock: Clock): Promise<CarriedUrls> {
  const topics = await ensureUrlTopics(kafka, crawl, clock)
  const partitions = partitionsByName(topics)
  const observer = kafka.consumer({ groupId: urlGroup(kafka, crawl) })
  return {
    async byBand() {
      const { waitingIn } = await readLag({ kafka, consumer: observer, partitions, clock, patienceMs })
      const { high, medium, low } = topics
      const waiting = ({ name }: { readonly name: string }) => waitingIn.get(name) ?? 0
      return { high: waiting(high), medium: waiting(medium), low: waiting(low) }
    },
    [Symbol.asyncDispose]: async () => void (await observer.close(true)),
  }
}
