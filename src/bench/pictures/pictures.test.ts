import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { peerBars } from './peer-bars.ts'
import { linear, logarithmic, roundSteps } from './scale.ts'
import { element, label, svgFile } from './svg.ts'

test('text is text, whatever it holds', () => {
  assert.equal(
    label(1, 2, '<a> & "b"'),
    '<text x="1" y="2" class="label" text-anchor="start">&lt;a&gt; &amp; &quot;b&quot;</text>',
  )
  assert.equal(element('g', { class: '"' }), '<g class="&quot;"/>')
})

test('a picture says what it shows, and has colours for dark pages', () => {
  const svg = svgFile({ width: 10, height: 10, title: 'A & B', content: [] })
  assert.match(svg, /^<svg [^>]*viewBox="0 0 10 10"[^>]*role="img">\n<title>A &amp; B<\/title>/)
  assert.match(svg, /prefers-color-scheme: dark/)
})

test('an axis begins at 0, rises evenly and reaches the largest value, in few steps', () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-3, max: 1e9, noNaN: true }), (most) => {
      const steps = roundSteps(most)
      assert.equal(steps[0], 0)
      assert.ok(steps.at(-1)! >= most * 0.998, `${steps} for ${most}`)
      assert.ok(steps.length >= 3 && steps.length <= 7, `${steps} for ${most}`)
    }),
  )
  assert.deepEqual(roundSteps(0), [0, 1])
})

test('scales place the ends at the ends, and powers of ten evenly', () => {
  assert.equal(linear([0, 4], [100, 0])(1), 75)
  assert.equal(logarithmic([10, 1000], [0, 10])(100), 5)
  assert.equal(linear([3, 3], [0, 10])(3), 0)
})

test('bars of peers stay inside the picture', () => {
  const peer = { name: 'x', does: '', doesNot: '', pagesPerSecond: 1, peakRssBytes: 1 }
  const svg = peerBars([
    { ...peer, cpuMsPerPage: 1, range: [1, 1] },
    { ...peer, cpuMsPerPage: 27, range: [20, 49.9] },
  ])
  const width = Number(/ width="(\d+)"/.exec(svg)?.[1])
  for (const [, x] of svg.matchAll(/ x[12]?="([\d.]+)"/g)) assert.ok(Number(x) < width - 30, `at ${x}`)
})
