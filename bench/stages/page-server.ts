import http from 'node:http'
import type { AddressInfo } from 'node:net'

/** Answers every request with bytes like those of a compressed page; tells its parent the port, and ends with it. */
const body = Buffer.alloc(20_000, 'a page as it comes over the wire ')
const server = http.createServer((_request, response) => {
  response.setHeader('content-type', 'text/html')
  response.end(body)
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
process.on('disconnect', () => process.exit())
