import { response } from '../answer.ts'
import type { Character, Route } from '../host.ts'
import { site } from '../site.ts'

/** A plain site with links to pages that are gone, forbidden or broken. */
export const deadLinks: Character = (host, world) => {
  const statuses = [404, 410, 403, 401, 451]
  const routes = statuses.map(
    (status): Route => ({
      path: `/lost/${status}`,
      answer: () => response(status, `<title>${status}</title><p>Nothing here. <a href="/lost/never">Try this</a>`),
      expect: { kind: 'failure', reasons: [`status-${status}`] },
    }),
  )
  return site(host, world, { routes })
}
