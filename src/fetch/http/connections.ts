import type { FetchConfig } from '../config.ts'
import { openFilesLimit } from '../open-files.ts'
import { Connection, type ConnectionConfig } from './connection.ts'
import type { Opened, Target } from './connector.ts'

type ConnectionsConfig = ConnectionConfig & Pick<FetchConfig, 'connectionsPerOrigin' | 'maxIdleConnections'>

/** Streams that one HTTP/2 connection carries at the same time. */
const maxStreams = 64

/** All connections of a fetcher: few to each origin, and a bounded number of idle ones over thousands of origins. */
export class Connections {
  readonly #config: ConnectionsConfig
  readonly #open: (target: Target) => Promise<Opened>
  readonly #maxIdle: number
  readonly #byOrigin = new Map<string, Connection[]>()
  /** In the order in which they fell idle. */
  readonly #idle = new Set<Connection>()

  constructor(config: ConnectionsConfig, open: (target: Target) => Promise<Opened>) {
    this.#config = config
    this.#open = open
    // The other half is for requests under way and for files.
    this.#maxIdle = Math.min(config.maxIdleConnections, Math.floor(openFilesLimit() / 2))
  }

  /** A connection for one request; it must be given back. When all are busy the request waits in line on one of them. */
  take(origin: string): Connection {
    const connections = this.#byOrigin.get(origin)
    const connection = (connections && this.#choose(connections)) ?? this.#add(origin, connections)
    connection.inFlight++
    this.#idle.delete(connection)
    return connection
  }

  giveBack(connection: Connection) {
    connection.inFlight--
    if (connection.inFlight > 0) return
    if (connection.retired || !connection.isOpen) return this.#drop(connection)
    this.#idle.add(connection)
    if (this.#idle.size > this.#maxIdle) this.#drop(this.#idle.values().next().value!)
  }

  #choose(connections: readonly Connection[]): Connection | undefined {
    let least: Connection | undefined
    for (const connection of connections) {
      if (connection.inFlight === 0) return connection
      if (connection.protocol === 'h2' && connection.inFlight < maxStreams) return connection
      if (!least || connection.inFlight < least.inFlight) least = connection
    }
    return connections.length < this.#config.connectionsPerOrigin ? undefined : least
  }

  #add(origin: string, connections: Connection[] | undefined): Connection {
    const connection = new Connection(origin, this.#config, this.#open, (closed) => {
      if (closed.inFlight === 0) this.#drop(closed)
    })
    if (connections) connections.push(connection)
    else this.#byOrigin.set(origin, [connection])
    return connection
  }

  /** Takes no further requests on it: what it carries may end, then it is closed. */
  retire(connection: Connection) {
    connection.retired = true
    this.#forget(connection)
    if (connection.inFlight === 0) this.#drop(connection)
  }

  #drop(connection: Connection) {
    this.#forget(connection)
    void connection.destroy()
  }

  #forget(connection: Connection) {
    this.#idle.delete(connection)
    const connections = this.#byOrigin.get(connection.origin)
    const index = connections?.indexOf(connection) ?? -1
    if (!connections || index < 0) return
    connections.splice(index, 1)
    if (connections.length === 0) this.#byOrigin.delete(connection.origin)
  }

  async close() {
    const all = [...this.#byOrigin.values()].flat()
    this.#byOrigin.clear()
    this.#idle.clear()
    await Promise.all(all.map((connection) => connection.destroy()))
  }
}
