import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A site with what an operator meets sooner or later: a page that wants to run in the dashboard, and one that fails. */
export interface OddSite extends AsyncDisposable {
  readonly url: string
  /** From now on nothing fails any more. */
  heal(): void
}

export const hostileTitle = '<script>document.body.textContent = "taken over"</script>'

const hostilePage = `<!doctype html>
<title>&lt;script&gt;document.body.textContent = "taken over"&lt;/script&gt;</title>
<img src=x onerror="document.body.textContent = 'taken over'">
<p>A burrowing &lt;img src=x onerror=alert(1)&gt; zyzzyva lives here.</p>
<a href="javascript:alert(1)">run</a>
<script>document.body.textContent = "taken over"</script>`

const home = `<!doctype html><title>Odd</title><p>Begin here.</p>
<a href="/hostile">one</a> <a href="/broken">two</a> <a href="https://elsewhere.example/">three</a>`

export async function openOddSite(): Promise<OddSite> {
  let isHealed = false
  const pages: Readonly<Record<string, string>> = { '/': home, '/hostile': hostilePage }
  const server = createServer((request, response) => {
    const path = request.url!
    if (path === '/broken' && !isHealed) return void request.socket.destroy()
    const page = path === '/broken' ? '<!doctype html><title>Mended</title><p>All is well again.</p>' : pages[path]
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' }).end(page ?? '')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    heal() {
      isHealed = true
    },
    [Symbol.asyncDispose]() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
