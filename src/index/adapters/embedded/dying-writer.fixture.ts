import { openDatabase } from '../../../embedded/database.ts'
import { numbered, smallIndex } from './test-words.ts'

/** `FILE FIRST COUNT`: puts documents, commits after each third, says how far that is, and dies in the middle of a group. */
const [file = '', first = '', count = ''] = process.argv.slice(2)
const database = openDatabase(file, { commitEveryMs: 3_600_000 })
const index = smallIndex(database)
for (let n = Number(first); n < Number(first) + Number(count); n++) {
  await index.put(numbered(n, `common word${n}`))
  if (n % 3 !== 2) continue
  database.commit()
  process.stdout.write(`${n}\n`)
}
process.kill(process.pid, 'SIGKILL')
