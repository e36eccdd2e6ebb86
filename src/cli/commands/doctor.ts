import { accessSync, constants, existsSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { constants as zlibConstants } from 'node:zlib'
import { loadConfig } from '../../config/load.ts'
import type { Config } from '../../config/schema.ts'
import { systemResolver } from '../../dns/adapters/system/system-resolver.ts'
import { openCrawlFolder } from '../../embedded/crawl-folder.ts'
import { openReader } from '../../embedded/open-reader.ts'
import type { Command, Invocation } from '../command.ts'
import { sourcesOf } from '../crawl-settings.ts'
import { bad, type Finding, ok, warn } from '../finding.ts'
import { fleetOf } from '../open-crawl.ts'
import { green, red, table, yellow } from '../terminal.ts'
import { showBytes, showCount } from '../units.ts'

export const doctor: Command = {
  name: 'doctor',
  usage: '',
  summary: 'checks that this machine, and the folder or the engines of a fleet, are fit for a crawl; or a server',
  flags: {},
  async run(invocation) {
    const { json, terminal } = invocation
    const findings =
      invocation.given.server === undefined ? await findingsHere(invocation) : await findingsOn(invocation)
    const marks = { ok: green('ok'), warn: yellow('mind'), bad: red('bad') }
    if (json) for (const finding of findings) terminal.print(JSON.stringify(finding))
    else
      for (const line of table(findings.map(({ level, what, says }) => [marks[level], what, says])))
        terminal.print(line)
    return findings.some(({ level }) => level === 'bad') ? 1 : 0
  },
}

async function findingsHere(invocation: Invocation): Promise<Finding[]> {
  const fleet = fleetOf(invocation)
  return [
    ...[node(), ok('sqlite', process.versions.sqlite ?? 'unknown'), zstd(), openFiles(), await names(invocation)],
    ...(fleet ? await enginesOf(fleet) : [disk(invocation), await crawlFolder(invocation)]),
  ]
}

async function findingsOn(invocation: Invocation): Promise<Finding[]> {
  const { serverFindings } = await import('../server-findings.ts')
  const { clientOf } = await import('../server-client.ts')
  return serverFindings(clientOf(invocation)!)
}

async function enginesOf(config: Config): Promise<Finding[]> {
  const { fleetFindings } = await import('../fleet-findings.ts')
  return fleetFindings(config)
}

function node(): Finding {
  const major = Number(process.versions.node.split('.')[0])
  return major >= 24
    ? ok('node', process.version)
    : bad('node', `${process.version} is too old: Node 24 or newer is needed.`)
}

function zstd(): Finding {
  return 'ZSTD_c_compressionLevel' in zlibConstants
    ? ok('zstd', 'supported')
    : bad('zstd', 'This Node cannot read zstd.')
}

function openFiles(): Finding {
  const { maxFiles } = openFileLimit()
  if (maxFiles === null || maxFiles >= 4096)
    return ok('open files', maxFiles === null ? 'no limit known' : `${showCount(maxFiles)} allowed`)
  return warn(
    'open files',
    `Only ${showCount(maxFiles)} allowed: \`ulimit -n 65536\` lets a wide crawl hold more connections.`,
  )
}

function openFileLimit(): { maxFiles: number | null } {
  const limits = (process.report.getReport() as { userLimits?: { open_files?: { soft?: number | string } } }).userLimits
  const soft = Number(limits?.open_files?.soft)
  return { maxFiles: Number.isFinite(soft) ? soft : null }
}

function disk({ out }: Invocation): Finding {
  const existing = nearestExisting(out)
  try {
    accessSync(existing, constants.W_OK)
  } catch {
    return bad('folder', `${existing} cannot be written.`)
  }
  const { bavail, bsize } = statfsSync(existing)
  const free = bavail * bsize
  return free < 1e9
    ? warn('disk', `Only ${showBytes(free)} free at ${existing}.`)
    : ok('disk', `${showBytes(free)} free at ${existing}`)
}

function nearestExisting(path: string): string {
  return existsSync(path) ? path : nearestExisting(dirname(path))
}

async function names(invocation: Invocation): Promise<Finding> {
  await using resolver = systemResolver(loadConfig(sourcesOf(invocation)).config.dns)
  const answer = await resolver.resolve('example.com')
  if (answer.kind === 'resolved') return ok('dns', `example.com is ${answer.addresses[0]?.address}`)
  return warn('dns', `example.com cannot be resolved (${answer.detail}): no public site can be crawled from here.`)
}

async function crawlFolder({ out }: Invocation): Promise<Finding> {
  if (!existsSync(out)) return ok('crawl', `none in ${out} yet`)
  try {
    await using reader = await openReader(openCrawlFolder(out))
    const { admitted, queued } = await reader.ledger.counts()
    return ok('crawl', `${showCount(admitted)} URLs known, ${showCount(queued)} queued in ${out}`)
  } catch (error) {
    return bad('crawl', (error as Error).message)
  }
}
