import { type ArchiveUnderTest, archiveConformance } from '../../archive.conformance.ts'
import { ArchiveBucket, skip } from './s3-archive.fixture.ts'

archiveConformance('s3', async () => underTest(await ArchiveBucket.create(), false), { skip })

archiveConformance('s3, read by another process', async () => underTest(await ArchiveBucket.create(), true), { skip })

function underTest(bucket: ArchiveBucket, elsewhere: boolean): ArchiveUnderTest {
  const { archive } = bucket.open()
  return {
    archive: elsewhere ? { ...archive, read: bucket.reader().read } : archive,
    remember: (exchange, place) => bucket.remember(exchange, place),
    async reopen() {
      await archive[Symbol.asyncDispose]()
      return underTest(bucket, elsewhere)
    },
    close: async () => archive[Symbol.asyncDispose](),
  }
}
