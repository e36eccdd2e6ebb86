import assert from 'node:assert/strict'
import { test } from 'node:test'
import { draftAs, emptyDraft } from './crawl-draft.ts'

test('what was not filled in is left to the server', () => {
  assert.deepEqual(draftAs({ ...emptyDraft, seeds: ' a.example \n\n b.example' }), {
    seeds: ['a.example', 'b.example'],
    settings: {},
  })
})

test('other settings are joined with those of the form, which win', () => {
  const others = '{"limits":{"maxPages":1,"maxWaitMs":5},"fetch":{"maxBodyBytes":9}}'
  const { settings } = draftAs({ ...emptyDraft, seeds: 'a', maxPages: '7', others })
  assert.deepEqual(settings, { limits: { maxPages: 7, maxWaitMs: 5 }, fetch: { maxBodyBytes: 9 } })
})

test('other settings that are no object are refused in words', () => {
  for (const others of ['{', '[]', 'null', '7'])
    assert.throws(() => draftAs({ ...emptyDraft, seeds: 'a', others }), /must be a JSON object/, others)
})

test('what was filled in stands where a configuration file has it', () => {
  const draft = {
    ...emptyDraft,
    id: 'mine',
    seeds: 'a',
    scope: 'domain',
    exclude: '*/x/*',
    maxPages: '0',
    maxDepth: '3',
    delayMs: '0',
  }
  assert.deepEqual(draftAs(draft), {
    id: 'mine',
    seeds: ['a'],
    settings: {
      url: { scope: 'domain', exclude: ['*/x/*'] },
      limits: { maxPages: 0, maxDepth: 3 },
      politeness: { delayMs: 0 },
    },
  })
})
