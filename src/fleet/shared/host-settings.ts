import * as z from 'zod'
import type { Clock } from '../../clock.ts'
import { UsageError } from '../../config/usage-error.ts'
import type { RedisClient } from '../../engines/redis/connect.ts'
import { Courier } from '../../engines/redis/courier.ts'
import { expecting, patiently, strangeValue } from '../../engines/redis/patience.ts'
import { scriptOf } from '../../engines/redis/script.ts'
import { HOST_PATTERN } from '../../politeness/config.ts'
import {
  decisionAmong,
  type HostDecision,
  type HostDecisionEntry,
  type HostDecisions,
  hostDecision,
} from '../../politeness/host-decisions.ts'
import { type RegistryKeys, registryKeys } from '../registry/keys.ts'

/** Decisions about hosts, for all crawls of the fleet. What was changed elsewhere is known here some 2 s later. */
export interface SharedHostSettings extends HostDecisions, AsyncDisposable {}

export interface SharedHostSettingsOptions {
  readonly client: RedisClient
  /** Shared by all who use this client. Left out: one of its own. */
  readonly courier?: Courier
  readonly prefix: string
  readonly clock: Clock
  /** What is written there can no longer be understood: settings stay as they were known. */
  readonly fail: (error: unknown) => void
  readonly everyMs?: number
}

const setHost = scriptOf(new URL('./set-host.lua', import.meta.url))

const PAGE = 500
const MAX_HOSTS = 50_000

export async function openSharedHostSettings(options: SharedHostSettingsOptions): Promise<SharedHostSettings> {
  const settings = new RedisHostSettings(options)
  await settings.begin()
  return settings
}

class RedisHostSettings implements SharedHostSettings {
  readonly #options: SharedHostSettingsOptions
  readonly #keys: RegistryKeys
  readonly #courier: Courier
  readonly #closed = new AbortController()
  #known: ReadonlyMap<string, HostDecision> = new Map()
  #version: string | null | undefined
  #watching: Promise<void> | undefined
  #refreshing: Promise<void> = Promise.resolve()
  #nextRefresh: Promise<void> | undefined

  constructor(options: SharedHostSettingsOptions) {
    this.#options = options
    this.#keys = registryKeys(options.prefix)
    this.#courier = options.courier ?? new Courier({ client: options.client })
  }

  async begin(): Promise<void> {
    await this.#refresh()
    this.#watching = this.#watch().catch((error) => {
      // Who closes it may have closed its connection before.
      if (!this.#closed.signal.aborted && !this.#courier.isClosed) this.#options.fail(error)
    })
  }

  for(hostname: string): HostDecision {
    return decisionAmong(this.#known, hostname)
  }

  async set(host: string, setting: HostDecision): Promise<void> {
    if (!HOST_PATTERN.test(host)) throw new UsageError(`"${host}" is not a host name, in lower case, or *.domain.`)
    const { success, data, error } = hostDecision.safeParse(setting)
    if (!success) throw new UsageError(`Settings of ${host}: ${z.prettifyError(error)}.`)
    if ((await this.#write(host, JSON.stringify(data))) === 'full')
      throw new UsageError(`There are settings for ${MAX_HOSTS} hosts already: use *.domain, or remove some.`)
  }

  async remove(host: string): Promise<boolean> {
    return (await this.#write(host, '')) === 'changed'
  }

  async list(): Promise<readonly HostDecisionEntry[]> {
    const { hostSettings: key } = this.#keys
    const found = new Map<string, HostDecision>()
    let cursor = '0'
    do {
      const [next, fields] = await this.#asked(key, (client) => client.hscan(key, cursor, 'COUNT', PAGE))
      for (let i = 0; i < fields.length; i += 2) found.set(fields[i]!, settingOf(key, fields[i + 1]!))
      cursor = next
    } while (cursor !== '0')
    return [...found].map(([host, setting]) => ({ host, setting })).sort((a, b) => (a.host < b.host ? -1 : 1))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed.abort()
    await this.#watching
  }

  async #write(host: string, setting: string): Promise<unknown> {
    const { hostSettings, hostSettingsVersion } = this.#keys
    const answer = await this.#asked(hostSettings, (client) =>
      setHost.run(client, [hostSettings, hostSettingsVersion], [host, setting, MAX_HOSTS]),
    )
    await this.#refresh()
    return answer
  }

  async #watch(): Promise<void> {
    const { clock, everyMs = 2000 } = this.#options
    while (!this.#closed.signal.aborted) {
      await clock.sleep(everyMs, this.#closed.signal)
      if (!this.#closed.signal.aborted) await this.#refresh()
    }
  }

  /** Resolves when all that was written before it was called is known here. Calls that wait for their turn are one. */
  #refresh(): Promise<void> {
    this.#nextRefresh ??= this.#refreshing.then(() => {
      this.#nextRefresh = undefined
      const reading = this.#read()
      // Whoever asked for it hears of its failure; the next one only needs to know that it has ended.
      this.#refreshing = reading.catch(() => {})
      return reading
    })
    return this.#nextRefresh
  }

  /** The version is read before the settings: what changes in between is read again next time. */
  async #read(): Promise<void> {
    const { hostSettingsVersion: key } = this.#keys
    const order = { keys: [key], command: 'GET', mayWait: 'long' } as const
    const version = (await this.#asked(key, () => this.#courier.ask(order))) as string | null
    if (version === this.#version) return
    this.#known = new Map((await this.list()).map(({ host, setting }) => [host, setting]))
    this.#version = version
  }

  #asked<T>(key: string, ask: (client: RedisClient) => Promise<T>): Promise<T> {
    const { client, clock } = this.#options
    return patiently(client, clock, () => expecting(key, ask(client)))
  }
}

function settingOf(key: string, json: string): HostDecision {
  try {
    return hostDecision.parse(JSON.parse(json))
  } catch (error) {
    throw strangeValue(key, error)
  }
}
