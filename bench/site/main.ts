import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readOptions } from './options.ts'
import type { SiteAnnouncement } from './remote.ts'
import { openSite } from './site.ts'

/** Runs a bench site alone: prints one line of JSON that says where everything is, and stops on SIGTERM or SIGINT. */
const options = readOptions(process.argv.slice(2))
await using site = await openSite(options)
await using folder = await temporaryFolder()
const caFile = join(folder.path, 'ca.pem')
if (site.caCertificate !== null) await writeFile(caFile, site.caCertificate)

const announcement: SiteAnnouncement = {
  pid: process.pid,
  seeds: site.seeds,
  addressSeed: site.addressSeed,
  dns: site.dns,
  control: site.control,
  caCertificate: site.caCertificate === null ? null : caFile,
  pages: options.pages,
  hosts: options.hosts,
  corpus: site.corpus,
  averages: site.averages,
}
process.stdout.write(`${JSON.stringify(announcement)}\n`)

await new Promise((resolve) => {
  process.once('SIGTERM', resolve)
  process.once('SIGINT', resolve)
  if (options.attached) process.stdin.once('end', resolve).resume()
})
if (options.attached) process.stdin.destroy()

async function temporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'orbweaver-bench-site-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}
