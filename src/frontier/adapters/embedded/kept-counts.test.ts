import assert from 'node:assert/strict'
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openDatabase } from '../../../embedded/database.ts'
import { trapConfig } from '../../../url/config.ts'
import { type CanonicalUrl, hostKeyOf, loadFingerprint } from '../../../url/keys.ts'
import type { Admission, Candidate } from '../../frontier.ts'
import { frontierOn } from './test-frontier.ts'

const fingerprint = await loadFingerprint()
const seed = 'https://e.com/' as CanonicalUrl

function found(text: string, parent: CanonicalUrl | null = seed): Candidate {
  const url = text as CanonicalUrl
  return { url, host: hostKeyOf(url, 'host'), band: 'low', depth: 1, parent, redirects: 0 }
}

/** Offers in one run after the other over the same folder; `crash`: nothing that the run wrote reaches the disk. */
async function inRuns(
  limits: object,
  runs: readonly { readonly urls: readonly string[]; readonly isSeeds?: boolean; readonly crash?: boolean }[],
): Promise<readonly (readonly Admission[])[]> {
  const scratch = mkdtempSync(join(tmpdir(), 'orbweaver-budgets-'))
  let folder = join(scratch, '0')
  const answers: (readonly Admission[])[] = []
  try {
    mkdirSync(folder)
    for (const [i, { urls, isSeeds = false, crash = false }] of runs.entries()) {
      const before = join(scratch, `${i + 1}`)
      cpSync(folder, before, { recursive: true })
      using database = openDatabase(join(folder, 'crawl.sqlite'))
      const frontier = frontierOn(database, fingerprint, undefined, join(folder, 'bloom'), trapConfig.parse(limits))
      answers.push(await frontier.offer(urls.map((url) => found(url, isSeeds ? null : seed))))
      await frontier[Symbol.asyncDispose]()
      if (crash) folder = before
    }
    return answers
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

const admittedIn = (answers: readonly (readonly Admission[])[]) =>
  answers.map((run) => run.filter((answer) => answer === 'admitted').length)
const shop = (from: number, count: number) =>
  Array.from({ length: count }, (_, i) => `https://e.com/shop?a=${from + i}&b=1&c=1`)

test('a budget goes on where the last run left it, and what is over it is remembered as excluded', async () => {
  const answers = await inRuns({ maxFacets: 10 }, [{ urls: shop(0, 7) }, { urls: shop(7, 7) }, { urls: shop(14, 7) }])
  assert.deepEqual(admittedIn(answers), [7, 3, 0])
  assert.deepEqual(answers[1]?.slice(2, 4), ['admitted', 'over-budget'])
})

test('a URL that is offered again costs nothing, in the same run or in another', async () => {
  const answers = await inRuns({ maxFacets: 10 }, [
    { urls: [...shop(0, 5), ...shop(0, 5)] },
    { urls: [...shop(0, 5), ...shop(5, 6)] },
  ])
  assert.deepEqual(admittedIn(answers), [5, 5])
})

test('what a crash takes back was not spent', async () => {
  const answers = await inRuns({ maxFacets: 10 }, [
    { urls: shop(0, 6) },
    { urls: shop(6, 4), crash: true },
    { urls: shop(100, 6) },
  ])
  assert.deepEqual(admittedIn(answers), [6, 4, 4])
})

test('names below one domain are counted over runs, and those that were met stay good', async () => {
  const names = (from: number, count: number) =>
    Array.from({ length: count }, (_, i) => `https://n${from + i}.e.com/${from}`)
  const answers = await inRuns({ maxSubdomains: 5 }, [
    { urls: names(0, 3) },
    { urls: [...names(3, 4), 'https://n0.e.com/again', 'https://n6.e.com/again', 'https://other.com/'] },
  ])
  assert.deepEqual(admittedIn(answers), [3, 4])
  assert.deepEqual(answers[1], [
    'admitted',
    'admitted',
    'over-budget',
    'over-budget',
    'admitted',
    'over-budget',
    'admitted',
  ])
})

test('seeds are visited whatever the budgets say', async () => {
  const answers = await inRuns({ maxSubdomains: 1, maxQueries: 1 }, [
    { urls: ['https://a.e.com/?a', 'https://a.e.com/?b', 'https://b.e.com/'], isSeeds: true },
  ])
  assert.deepEqual(admittedIn(answers), [3])
})

test('hosts of seeds are followed however many of one domain they are, in later runs too', async () => {
  const names = (page: string) => Array.from({ length: 5 }, (_, i) => `https://n${i}.e.com/${page}`)
  const answers = await inRuns({ maxSubdomains: 2 }, [
    { urls: names(''), isSeeds: true },
    { urls: [...names('a'), 'https://other.e.com/'] },
    { urls: names('b') },
  ])
  assert.deepEqual(admittedIn(answers), [5, 5, 5])
})
