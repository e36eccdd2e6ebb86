import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { cached, type Report, silently } from './cache.ts'
import { EngineMissing } from './engine-missing.ts'
import { freePorts } from './free-ports.ts'
import { homeOf, launch, type Place, type RunningEngine } from './running-engine.ts'
import { findProgram, runTool } from './tool.ts'

const version = '1.8.0'
const s3Keys = { id: 'test', secret: 'testtest' } as const

export interface S3Options extends Place {
  readonly buckets?: readonly string[]
  /** Speaks TLS with these, PEM. */
  readonly tls?: { readonly certificateFile: string; readonly keyFile: string }
}

/** Versity's S3 gateway over a folder. The URL carries its keys. */
export async function startS3(options: S3Options = {}, report: Report = silently): Promise<RunningEngine> {
  const program = await s3Program(report)
  const port = options.port ?? (await freePorts(1))[0]!
  const { tls } = options
  const tlsArguments = tls ? ['--cert', tls.certificateFile, '--key', tls.keyFile] : []
  const start = async (further: (folder: string) => Promise<string[]>) => {
    const home = await homeOf(options, 's3')
    const data = await folderIn(home.folder, 'data')
    // A folder in the data is a bucket.
    for (const bucket of options.buckets ?? []) await folderIn(data, bucket)
    return launch({
      title: 'S3',
      url: `${tls ? 'https' : 'http'}://${s3Keys.id}:${s3Keys.secret}@127.0.0.1:${port}`,
      program,
      arguments: [
        ...['--port', `127.0.0.1:${port}`, '--quiet', ...tlsArguments],
        ...['posix', ...(await further(home.folder)), data],
      ],
      environment: { ROOT_ACCESS_KEY: s3Keys.id, ROOT_SECRET_KEY: s3Keys.secret },
      home,
      isReady: tls ? () => answersTls(port) : async () => (await fetch(`http://127.0.0.1:${port}/`)).status === 403,
    })
  }
  try {
    return await start(async () => [])
  } catch (error) {
    // Some file systems (older tmpfs, some containers) have no attributes: then they lie in a folder beside the data.
    if (!(error as Error).message.includes('xattr')) throw error
    return start(async (folder) => ['--sidecar', await folderIn(folder, 'attributes')])
  }
}

async function answersTls(port: number): Promise<boolean> {
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false })
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(1000) })
    return true
  } finally {
    socket.destroy()
  }
}

async function folderIn(parent: string, name: string): Promise<string> {
  const folder = join(parent, name)
  await mkdir(folder, { recursive: true })
  return folder
}

async function s3Program(report: Report): Promise<string> {
  const installed = findProgram(['versitygw'])
  if (installed !== undefined) return installed
  const folder = await cached(`versitygw-${version}`, async (unfinished) => {
    const go = findProgram(['go'], ['/usr/local/go/bin'])
    if (go === undefined) throw new EngineMissing('S3: no versitygw on the PATH, and no Go to build it with')
    report('S3: building versitygw with Go (once; some minutes)')
    const gateway = `github.com/versity/versitygw/cmd/versitygw@v${version}`
    await runTool('S3', go, ['install', gateway], { environment: { GOBIN: unfinished, GOFLAGS: '' } })
  })
  return join(folder, 'versitygw')
}
