import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sniffKind } from './kind.ts'

const XML = '<?xml version="1.0" encoding="UTF-8"?>\n<!-- by a tool -->\n'

for (const [body, type, kind] of [
  ['<p>x', 'text/html', 'html'],
  ['plain', 'TEXT/HTML; charset=utf-8', 'html'],
  ['', 'text/html', 'html'],
  ['\ufeff \n<!DOCTYPE html PUBLIC "-//W3C//DTD">\n<HTML>', 'text/html; charset=utf-8', 'html'],
  ['<!DOCTYPE html>\n<rss version="2.0">', 'text/html', 'feed'],
  ['<!DOCTYPE html><html:feed>', 'text/html', 'feed'],
  ['<!DOCTYPE html><html>', 'text/html-sandboxed', 'other'],
  [`${XML}<html xmlns="http://www.w3.org/1999/xhtml">`, 'application/xhtml+xml', 'html'],
  [`${XML}<html xmlns="http://www.w3.org/1999/xhtml">`, 'application/xml', 'html'],
  [`${XML}<urlset xmlns="x">`, 'application/xml', 'sitemap'],
  [`${XML}<sitemapindex>`, 'text/xml', 'sitemap'],
  ['\ufeff<urlset>', 'text/html', 'sitemap'],
  [`${XML}<sm:urlset>`, 'text/plain', 'sitemap'],
  [`${XML}<rss version="2.0">`, 'application/rss+xml', 'feed'],
  [`${XML}<feed xmlns="x">`, 'text/xml', 'feed'],
  ['<rdf:RDF xmlns:rdf="x">', 'application/rdf+xml', 'feed'],
  [`${XML}<svg>`, 'image/svg+xml', 'other'],
  [`${XML}<other>`, 'text/xml', 'other'],
  ['<!DOCTYPE html><p>x', '', 'html'],
  ['<html>', 'application/octet-stream', 'html'],
  ['  <div class=x>', '', 'html'],
  ['<!-- comment --><x>', '', 'html'],
  ['just words', '', 'text'],
  ['just words', 'application/octet-stream', 'other'],
  ['a\0b', '', 'other'],
  ['a\0b', 'text/plain', 'other'],
  ['words', 'text/plain', 'text'],
  ['<!doctype html><p>x', 'text/plain', 'html'],
  ['<p>a fragment', 'text/plain', 'text'],
  ['a,b', 'text/csv', 'text'],
  ['a {}', 'text/css', 'other'],
  ['x()', 'text/javascript', 'other'],
  ['x()', 'application/javascript', 'other'],
  ['{}', 'application/json', 'text'],
  ['%PDF-1.7', 'text/html', 'pdf'],
  ['<html>no pdf', 'application/pdf', 'other'],
  ['\x89PNG', 'image/png', 'other'],
  ['<html>', 'image/png', 'other'],
] as const)
  test(`${JSON.stringify(body).slice(0, 60)} sent as ${JSON.stringify(type)} is ${kind}`, () => {
    assert.equal(sniffKind(Buffer.from(body), type), kind)
  })

test('a document in UTF-16 is told by its root too', () => {
  assert.equal(sniffKind(Buffer.from('\ufeff<urlset>', 'utf16le'), 'application/xml'), 'sitemap')
  assert.equal(sniffKind(Buffer.from('\ufeffwords', 'utf16le'), 'text/plain'), 'text')
})
