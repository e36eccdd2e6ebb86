import assert from 'node:assert/strict'
import { test } from 'node:test'
import { kindOf } from './key-sizes.ts'

test('a key is of the kind that its name says after tag and crawl', () => {
  assert.equal(kindOf('orbweaver:{orbweaver:12}:crawl:news:seen:3'), 'seen')
  assert.equal(kindOf('orbweaver:{orbweaver:12}:crawl:news:queue:1:example.com:8080'), 'queue')
  assert.equal(kindOf('orbweaver:{orbweaver:12}:hosts:7'), "fleet's hosts")
  assert.equal(kindOf('orbweaver:{orbweaver:12}:state'), "fleet's state")
})
