import type { Character, Route } from '../host.ts'
import { loosePage, site } from '../site.ts'

/** Pages with rel=canonical, the same page under several URLs, and relative links below a base. */
export const canonicals: Character = (host, world) => {
  const products = [1, 2, 3].flatMap((number): Route[] => {
    const path = `/products/${number}`
    const document = loosePage(host, world, path, { canonical: host.origin + path, duplicateGroup: host.name + path })
    return ['', '?ref=list', '?ref=mail'].map((query) => ({ path: path + query, document }))
  })
  const relative = loosePage(host, world, '/translated', { canonical: '/original' })
  const based = loosePage(host, world, '/based/page', {
    head: '<base href="/elsewhere/deep/">',
    links: [{ href: 'leaf' }, { href: '../branch' }, { href: '?leaf=2' }],
  })
  const leaf = (path: string): Route => ({ path, linked: 'nowhere', document: loosePage(host, world, path) })
  // Only the canonical of one leads to the next, and the last names the first.
  const chain = [1, 2, 3].map((number): Route => {
    const document = loosePage(host, world, `/chain/${number}`, { canonical: `/chain/${(number % 3) + 1}` })
    return { path: `/chain/${number}`, document, ...(number > 1 ? { linked: 'nowhere' } : {}) }
  })
  const abroad = loosePage(host, world, '/abroad', { canonical: 'https://elsewhere.example/abroad' })
  return site(host, world, {
    routes: [
      ...products,
      ...chain,
      { path: '/abroad', document: abroad },
      { path: '/translated', document: relative },
      leaf('/original'),
      { path: '/finder', document: loosePage(host, world, '/finder', { links: [{ href: '/original' }] }) },
      { path: '/based/page', document: based },
      leaf('/elsewhere/deep/leaf'),
      leaf('/elsewhere/branch'),
      leaf('/elsewhere/deep/?leaf=2'),
    ],
  })
}
