import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { UsageError } from '../config/usage-error.ts'
import { HOST_PATTERN } from '../politeness/config.ts'
import { decisionAmong, type HostDecision, type HostDecisions, hostDecision } from '../politeness/host-decisions.ts'
import { storageError } from './storage-error.ts'

const kept = z.record(z.string().regex(HOST_PATTERN), hostDecision)

/** What an operator has decided for hosts, in a file that people can read: `hosts.json` in the folder. */
export function openHostDecisions(folder: string): HostDecisions {
  const path = join(folder, 'hosts.json')
  const decisions = new Map<string, HostDecision>(Object.entries(read(path)))

  function store(): void {
    try {
      writeFileSync(`${path}.new`, `${JSON.stringify(Object.fromEntries(decisions), null, 2)}\n`)
      renameSync(`${path}.new`, path)
    } catch (error) {
      throw storageError(path, error)
    }
  }

  return {
    for: (hostname) => decisionAmong(decisions, hostname),
    async set(host, decision) {
      if (!HOST_PATTERN.test(host)) throw new UsageError(`"${host}" is not a host name, in lower case, or *.domain.`)
      decisions.set(host, decision)
      store()
    },
    async remove(host) {
      const was = decisions.delete(host)
      if (was) store()
      return was
    },
    async list() {
      return [...decisions].map(([host, setting]) => ({ host, setting })).sort((a, b) => (a.host < b.host ? -1 : 1))
    },
  }
}

function read(path: string): z.infer<typeof kept> {
  if (!existsSync(path)) return {}
  try {
    return kept.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch (cause) {
    throw new UsageError(`${path} is damaged: correct it or delete it.`, { cause })
  }
}
