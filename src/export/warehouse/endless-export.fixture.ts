/** A process that exports the same crawl to a folder again and again, until it is killed. */
import { recordOf } from '../record.fixture.ts'
import { exportWarehouse } from './export-warehouse.ts'
import { folderParts } from './folder-parts.ts'
import { DEFAULT_LIMITS } from './partitions.ts'

const day = 24 * 3600 * 1000

async function* records(round: number) {
  for (let i = 0; i < 60; i++)
    yield recordOf(`https://e.com/${i}`, { fetchedAt: Date.UTC(2025, 0, 1) + ((i + round) % 4) * day })
}

const [folder = ''] = process.argv.slice(2)
for (let round = 0; ; round++) {
  await using store = folderParts(folder, 'c')
  await exportWarehouse(records(round), 'c', store, { ...DEFAULT_LIMITS, groupRows: 7, fileBytes: 2000 })
  if (round === 0) process.stdout.write('exported once\n')
}
