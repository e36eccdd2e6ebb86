import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parquetMetadata } from 'hyparquet'
import { recordOf, scanOf } from '../record.fixture.ts'
import { exportWarehouse } from './export-warehouse.ts'
import { folderParts } from './folder-parts.ts'

const program = fileURLToPath(new URL('./endless-export.fixture.ts', import.meta.url))

test('an export killed at any instant leaves whole files, and the next one puts all in order', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-kill-'))
  try {
    for (let kill = 0; kill < 6; kill++) {
      const child = spawn(process.execPath, [program, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
      await once(child.stdout, 'data')
      await sleep(7 * kill)
      child.kill('SIGKILL')
      await once(child, 'close')
      for (const path of parts(folder)) assert.ok(rowsIn(path) > 0, path)
    }
    await using store = folderParts(folder, 'c')
    await exportWarehouse(scanOf(recordOf('https://e.com/'), recordOf('https://e.com/2')), 'c', store)
    assert.deepEqual(parts(folder).map(rowsIn).sort(), [2, 4])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

function parts(folder: string): string[] {
  return ['pages', 'links'].flatMap((table) =>
    readdirSync(join(folder, table), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.parquet'))
      .map((name) => join(folder, table, name)),
  )
}

function rowsIn(path: string): number {
  return Number(parquetMetadata(new Uint8Array(readFileSync(path)).buffer).num_rows)
}
