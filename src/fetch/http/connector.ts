import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls, type SecureContext } from 'node:tls'
import type { Clock } from '../../clock.ts'
import { refusedRange } from '../../dns/address-guard.ts'
import type { Address, Resolver } from '../../dns/resolver.ts'
import { FetchFailure, failureOf } from './failure-codes.ts'

export interface Target {
  readonly protocol: string
  /** Without brackets. */
  readonly hostname: string
  readonly port: number
}

export interface Opened {
  readonly socket: Socket
  readonly address: string
  readonly isHttp2: boolean
  /** Who takes what comes, each time in memory that is used again. To be called once, before anything can have come. */
  read(take: (bytes: Buffer) => void): void
}

export interface ConnectorOptions {
  readonly resolver: Resolver
  readonly allowPrivate: (hostname: string) => boolean
  readonly clock: Clock
  readonly context: () => SecureContext
  readonly http2: boolean
  readonly connectTimeoutMs: number
}

const maxAttempts = 4
/** An address that does not answer in this time is left for the next one. The last one gets all the time there is. */
const attemptMs = 1500

/** Bytes of all plain connections come here, one piece after the other: memory for each would be left to the collector. */
const received = Buffer.allocUnsafeSlow(64 * 1024)

/**
 * Opens connections to addresses that were looked at first: a name is resolved here, each address is judged, and the
 * socket is opened to that very address, so that no second look-up can lead elsewhere.
 */
export function guardedConnector(options: ConnectorOptions) {
  const opening = new Set<Socket>()
  let isClosed = false

  async function open(target: Target): Promise<Opened> {
    const addresses = attemptOrder(await allowedAddresses(target.hostname, options))
    const endsAt = options.clock.now() + options.connectTimeoutMs
    let failure = new FetchFailure('connect-failed', 'no address')
    for (const [i, { address }] of addresses.entries()) {
      if (isClosed) throw new FetchFailure('cancelled', 'the fetcher was closed')
      const leftMs = endsAt - options.clock.now()
      if (leftMs <= 0) break
      const limitMs = i === addresses.length - 1 ? leftMs : Math.min(leftMs, attemptMs)
      const attempt = await openSocket(target, address, limitMs, options, opening)
      if (!(attempt instanceof FetchFailure)) return attempt
      failure = attempt
      if (failure.failureCode === 'tls-invalid') break
    }
    throw failure
  }

  return {
    open,
    /** Ends attempts under way, and those that still wait for their name to be resolved. */
    close: () => {
      isClosed = true
      for (const socket of opening) socket.destroy(new FetchFailure('cancelled', 'the fetcher was closed'))
    },
  }
}

async function allowedAddresses(hostname: string, options: ConnectorOptions): Promise<readonly Address[]> {
  const resolution = await options.resolver.resolve(hostname)
  if (resolution.kind !== 'resolved') throw new FetchFailure(`dns-${resolution.kind}`, resolution.detail)
  if (options.allowPrivate(hostname)) return resolution.addresses
  const allowed = resolution.addresses.filter(({ address }) => refusedRange(address) === undefined)
  if (allowed.length > 0) return allowed
  const refusals = resolution.addresses.map(({ address }) => `${address} is ${refusedRange(address)}`)
  throw new FetchFailure('address-refused', `${hostname}: ${refusals.join(', ')}`)
}

/** IPv6 first, the families in turn, so that a network without one of them costs one attempt at most. */
function attemptOrder(addresses: readonly Address[]): readonly Address[] {
  const six = addresses.filter(({ family }) => family === 6)
  const four = addresses.filter(({ family }) => family === 4)
  const inTurn = six.flatMap((address, i) => (four[i] ? [address, four[i]] : [address]))
  return [...inTurn, ...four.slice(six.length)].slice(0, maxAttempts)
}

function openSocket(
  { protocol, hostname, port }: Target,
  address: string,
  limitMs: number,
  { context, http2 }: ConnectorOptions,
  opening: Set<Socket>,
): Promise<Opened | FetchFailure> {
  const secure = protocol === 'https:'
  return new Promise((resolve) => {
    let reached = false
    let take: ((bytes: Buffer) => void) | undefined
    const socket = secure
      ? connectTls({
          host: address,
          port,
          // Addresses are no server names (RFC 6066): then the certificate is compared with the address.
          servername: isIP(hostname) ? '' : hostname,
          secureContext: context(),
          ALPNProtocols: http2 ? ['h2', 'http/1.1'] : ['http/1.1'],
        })
      : connectTcp({
          host: address,
          port,
          onread: {
            buffer: received,
            callback: (bytes) => {
              take?.(received.subarray(0, bytes))
              return true
            },
          },
        })
    const settle = (result: Opened | FetchFailure) => {
      clearTimeout(timer)
      opening.delete(socket)
      resolve(result)
    }
    const timer = setTimeout(
      () =>
        socket.destroy(
          new FetchFailure('connect-timeout', `${address}:${port} gave no connection in ${Math.round(limitMs)} ms`),
        ),
      limitMs,
    )
    opening.add(socket)
    socket.setNoDelay(true)
    socket.once('connect', () => {
      reached = true
    })
    socket.once(secure ? 'secureConnect' : 'connect', () =>
      settle({
        socket,
        address,
        isHttp2: 'alpnProtocol' in socket && socket.alpnProtocol === 'h2',
        read: (taker) => {
          take = taker
          if (secure) socket.on('data', taker)
        },
      }),
    )
    // Stays on the socket for good: an error between our hands and those of the HTTP client must find a listener.
    socket.on('error', (error) => {
      const { code, detail } = failureOf(error, reached ? 'handshake' : 'connect')
      settle(new FetchFailure(code, detail))
    })
  })
}
