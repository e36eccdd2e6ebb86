import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CanonicalUrl, HostKey } from '../../../url/keys.ts'
import type { Candidate } from '../../frontier.ts'
import { decodeCandidate, encodeCandidate } from './candidate-letter.ts'

const candidate: Candidate = {
  url: 'http://a.test/%C3%BC?q="1"' as CanonicalUrl,
  host: 'a.test' as HostKey,
  band: 'low',
  depth: 3,
  parent: 'http://a.test/' as CanonicalUrl,
  redirects: 2,
}

test('a candidate arrives as it was sent', () => {
  for (const sent of [candidate, { ...candidate, parent: null }, { ...candidate, refusal: 'path-loop' }])
    assert.deepEqual(decodeCandidate(encodeCandidate(sent), 'low'), sent)
})

test('what is no candidate is told from one', () => {
  const [url, host] = [candidate.url, candidate.host]
  const foreign = ['', '{', 'null', '7', '{}', '[]', [url], [url, host, -1, null, 0], [url, host, 0, null, '0']]
  const more = [
    ['ftp://a.test/', host, 0, null, 0],
    [url, '', 0, null, 0],
    [url, host, 0, 5, 0],
    [url, host, 0, null, 0, 1],
  ]
  for (const letter of [...foreign, ...more]) {
    const text = typeof letter === 'string' ? letter : JSON.stringify(letter)
    assert.equal(decodeCandidate(text, 'high'), undefined, text)
  }
})
