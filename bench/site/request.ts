/** The few things of an HTTP/1.x request that an answer depends on. */
export interface Request {
  readonly method: string
  readonly path: string
  /** Without the port; empty when there is none. */
  readonly host: string
  readonly acceptsGzip: boolean
  readonly keepAlive: boolean
}

const endOfHead = '\r\n\r\n'
const maxHeadChars = 16_384

/** The first request in `text` and what follows it; `undefined`: more has to come; `bad`: it never will be one. */
export function readRequest(text: string): { readonly request: Request; readonly rest: string } | 'bad' | undefined {
  const end = text.indexOf(endOfHead)
  if (end < 0) return text.length > maxHeadChars ? 'bad' : undefined
  const head = text.slice(0, end + 2)
  const [, method, path, version] = /^([A-Z]+) (\/\S*) HTTP\/1\.([01])\r\n/.exec(head) ?? []
  if (method === undefined || path === undefined) return 'bad'
  const connection = /\r\nconnection:\s*(close|keep-alive)/i.exec(head)?.[1]?.toLowerCase()
  return {
    request: {
      method,
      path,
      host: /\r\nhost:\s*([^\r\n:]*)/i.exec(head)?.[1] ?? '',
      acceptsGzip: /\r\naccept-encoding:[^\r\n]*\bgzip\b/i.test(head),
      keepAlive: version === '1' ? connection !== 'close' : connection === 'keep-alive',
    },
    rest: text.slice(end + endOfHead.length),
  }
}
