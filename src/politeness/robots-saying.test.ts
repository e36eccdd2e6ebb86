import assert from 'node:assert/strict'
import { test } from 'node:test'
import { robotsSaying } from './robots-saying.ts'

const times = { fetchedAt: 1, expiresAt: 2 }

test('a verdict is said with the rule that decides it and its line', () => {
  const text = '# hello\nUser-agent: *\nDisallow: /a\nAllow: /a/b'
  const say = (path: string) => robotsSaying({ ...times, kind: 'rules', text }, `https://x.test${path}`)
  assert.equal(say('/a/c'), 'disallowed: Disallow: /a (line 3)')
  assert.equal(say('/a/b'), 'allowed: Allow: /a/b (line 4)')
  assert.equal(say('/'), 'allowed: no rule speaks of it')
})

test('a file that is missing allows, one that cannot be had says why', () => {
  assert.equal(
    robotsSaying({ ...times, kind: 'none', status: 404 }, 'https://x.test/'),
    'allowed: there is no robots.txt (status 404)',
  )
  const unavailable = { ...times, kind: 'unavailable', code: null, detail: 'status 503', failures: 1 } as const
  assert.equal(robotsSaying(unavailable, 'https://x.test/'), 'not known: status 503')
})
