import { once } from 'node:events'
import { connect } from 'node:net'

/** Length, request 18 (which versions do you speak?) in version 0, number 1, no name of the client. */
const apiVersionsRequest = Buffer.from('0000000a' + '0012' + '0000' + '00000001' + 'ffff', 'hex')

/** A broker takes connections before it serves them: it is ready when it answers the first question of every client. */
export async function answersKafka(port: number): Promise<boolean> {
  const socket = connect({ port, host: '127.0.0.1' })
  try {
    socket.write(apiVersionsRequest)
    const [answer] = await once(socket, 'data', { signal: AbortSignal.timeout(1000) })
    return (answer as Buffer).length > 0
  } finally {
    socket.destroy()
  }
}
