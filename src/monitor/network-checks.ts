import { once } from 'node:events'
import { connect } from 'node:net'
import type { Resolver } from '../dns/resolver.ts'

export interface NetworkCheck {
  readonly what: string
  readonly ok: boolean
  readonly says: string
}

export interface NetworkCheckOptions {
  readonly resolver: Pick<Resolver, 'resolve'>
  /** Hosts that should be there, with the port to knock at. */
  readonly hosts: readonly { readonly host: string; readonly port: number }[]
  /** Opens a connection and closes it again; rejects when it cannot. */
  readonly knock?: (address: string, port: number) => Promise<void>
}

/** Whether names are answered and hosts can be reached: the two that all else stands on. */
export async function checkNetwork({ resolver, hosts, knock = knocked }: NetworkCheckOptions): Promise<NetworkCheck[]> {
  const found = await Promise.all(
    hosts.map(async (place) => ({ ...place, answer: await resolver.resolve(place.host) })),
  )
  const named = found.flatMap(({ answer, ...place }) =>
    answer.kind === 'resolved' ? [{ ...place, address: answer.addresses[0]!.address }] : [],
  )
  const silent = found.flatMap(({ host, answer }) => (answer.kind === 'failed' ? [host] : []))
  const reached = await Promise.all(
    named.map(({ address, port }) =>
      knock(address, port).then(
        () => true,
        () => false,
      ),
    ),
  )
  const unreached = named.filter((_, i) => !reached[i]).map(({ host }) => host)
  return [
    check('Names (DNS)', hosts.length, silent, 'were not answered'),
    check('Network', named.length, unreached, 'could not be reached'),
  ]
}

/** That one of several fails is that host's trouble; that most of them do is ours. */
function check(what: string, asked: number, failed: readonly string[], how: string): NetworkCheck {
  const ok = asked > 0 && failed.length * 2 <= asked
  if (asked === 0) return { what, ok: false, says: 'there was nothing to try it with' }
  const says =
    failed.length === 0 ? `all of ${asked} are well` : `${failed.length} of ${asked} ${how}, such as ${failed[0]}`
  return { what, ok, says }
}

/** In a sentence, those that fail first. */
export function checksInWords(checks: readonly NetworkCheck[]): string {
  const bad = checks.filter(({ ok }) => !ok)
  if (bad.length === 0) return `Checked, and well: ${checks.map(({ what }) => what).join(', ')}.`
  return `Checked, and at fault: ${bad.map(({ what, says }) => `${what} (${says})`).join('; ')}.`
}

async function knocked(address: string, port: number): Promise<void> {
  const socket = connect({ host: address, port, timeout: 5000 })
  try {
    await Promise.race([
      once(socket, 'connect'),
      once(socket, 'timeout').then(() => Promise.reject(new Error('timeout'))),
    ])
  } finally {
    socket.destroy()
  }
}
