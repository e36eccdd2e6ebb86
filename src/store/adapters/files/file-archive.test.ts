import { type ArchiveUnderTest, archiveConformance } from '../../archive.conformance.ts'
import { ArchiveFolder } from './file-archive.fixture.ts'

archiveConformance('files', async () => underTest(new ArchiveFolder()))

function underTest(folder: ArchiveFolder): ArchiveUnderTest {
  const opened = folder.open()
  return {
    archive: opened.archive,
    remember: (exchange, place) => folder.remember(exchange, place),
    async reopen() {
      await opened.close()
      return underTest(folder)
    },
    async close() {
      await opened.close()
      folder[Symbol.dispose]()
    },
  }
}
