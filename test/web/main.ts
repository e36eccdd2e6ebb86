import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startControl } from './control.ts'
import type { WebOptions } from './options.ts'
import { demoWeb, oneBigHost, smallWeb, wideWeb } from './presets.ts'
import type { Announcement } from './remote.ts'
import { startTestWeb } from './web.ts'

/** Runs a test web alone: prints one line of JSON that says where everything is, and stops on SIGTERM or SIGINT. */
const { values } = parseArgs({
  options: {
    preset: { type: 'string', default: 'small' },
    /** WebOptions as JSON, in place of a preset. */
    options: { type: 'string' },
    hosts: { type: 'string', default: '100' },
    pages: { type: 'string' },
    'weight-bytes': { type: 'string', default: '0' },
    seed: { type: 'string' },
    port: { type: 'string', default: '0' },
    'https-port': { type: 'string', default: '0' },
    /** Renders all pages before it says that it is there. */
    prepared: { type: 'boolean', default: false },
    /** Stops when standard input ends, and so with the process that holds it. */
    attached: { type: 'boolean', default: false },
  },
})

function chosen(): WebOptions {
  if (values.options !== undefined) return JSON.parse(values.options) as WebOptions
  switch (values.preset) {
    case 'small':
      return smallWeb
    case 'demo':
      return demoWeb
    case 'wide':
      return wideWeb(Number(values.hosts), Number(values.pages ?? 5))
    case 'big':
      return oneBigHost(Number(values.pages ?? 1000), Number(values['weight-bytes']))
    default:
      throw new RangeError(`no preset ${values.preset}; there are small, demo, wide and big`)
  }
}

const given = chosen()
await using web = await startTestWeb({
  ...given,
  ...(values.seed === undefined ? {} : { seed: values.seed }),
  httpPort: Number(values.port) || given.httpPort || 0,
  httpsPort: Number(values['https-port']) || given.httpsPort || 0,
})
if (values.prepared) web.prepare()
await using control = await startControl(web)
await using folder = await temporaryFolder()
const caFile = join(folder.path, 'ca.pem')
await writeFile(caFile, web.caCertificate)

const announcement: Announcement = {
  pid: process.pid,
  seed: web.seed,
  httpPort: web.httpPort,
  httpsPort: web.httpsPort,
  dns: web.dns,
  control: control.url,
  caFile,
  seeds: web.seeds,
}
process.stdout.write(`${JSON.stringify(announcement)}\n`)

await new Promise((resolve) => {
  process.once('SIGTERM', resolve)
  process.once('SIGINT', resolve)
  if (values.attached) process.stdin.once('end', resolve).resume()
})
if (values.attached) process.stdin.destroy()

async function temporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'orbweaver-test-web-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}
