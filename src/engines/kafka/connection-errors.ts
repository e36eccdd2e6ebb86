import { Connection, instancesChannel } from '@platformatic/kafka'

/**
 * A connection that breaks while it logs in tells of it twice, and the library listens once: the second time would end
 * the process. So everybody's connections are listened to; whoever waits for one has heard the first.
 */
export function listenToConnections(): void {
  instancesChannel.unsubscribe(listen)
  instancesChannel.subscribe(listen)
}

function listen(event: unknown): void {
  const { instance } = event as { readonly instance: unknown }
  if (instance instanceof Connection) instance.on('error', () => {})
}
