import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toMarkdown } from './markdown.ts'

const CASES: [name: string, html: string, markdown: string][] = [
  ['headings and paragraphs', '<h1>One</h1><p>two</p><h3>three</h3>', '# One\n\ntwo\n\n### three'],
  ['emphasis next to its words', '<p>a<b> bold </b>b <em>it</em> <b></b><del>old</del>', 'a **bold** b *it* ~~old~~'],
  [
    'links and images, absolute',
    '<a href=x>t</a> <img src=/i.png alt=A>',
    '[t](https://e.com/d/x) ![A](https://e.com/i.png)',
  ],
  ['base', '<base href=/b/><a href=x>t</a>', '[t](https://e.com/b/x)'],
  ['links that lead nowhere leave their text', '<a href="javascript:x()">t</a><a href=/x></a>', 't'],
  ['brackets in URLs', '<a href="/a(b)">t</a>', '[t](<https://e.com/a(b)>)'],
  ['a link around blocks', '<a href=/x><h2>h</h2><p>p</p></a>', '## [h](https://e.com/x)\n\n[p](https://e.com/x)'],
  ['lists', '<ul><li>a<li>b<ol start=3><li>c<li>d</ol><li>e</ul><p>f', '- a\n- b\n  3. c\n  4. d\n- e\n\nf'],
  ['paragraphs in items', '<ul><li><p>a</p><p>b</p></li></ul>', '- a\n\n  b'],
  ['quotations', '<blockquote>a<p>b</p><ul><li>c</ul></blockquote>d', '> a\n>\n> b\n>\n> - c\n\nd'],
  ['code', '<p>x <code>a &lt; `b`</code> y', 'x `` a < `b` `` y'],
  ['code blocks', '<pre><code class="x language-ts">\na\n  b\n</code></pre>', '```ts\na\n  b\n```'],
  ['code blocks with fences inside', '<pre>```\nx\n```</pre>', '````\n```\nx\n```\n````'],
  ['code blocks in items', '<ul><li>a<pre>b\nc</pre></ul>', '- a\n\n  ```\n  b\n  c\n  ```'],
  [
    'tables',
    '<table><tr><th>A<th>B<tr><td>1|2<td><b>x</b><tr><td>3</table>',
    '| A | B |\n| --- | --- |\n| 1\\|2 | **x** |\n| 3 |  |',
  ],
  ['tables in tables', '<table><tr><td>a<table><tr><td>b</table></table>c', '| a b |\n| --- |\n\nc'],
  ['rules and breaks', 'a<hr>b<br>c', 'a\n\n---\n\nb  \nc'],
  [
    'characters that mean something',
    '<p>*a* _b_ snake_case [c] `d` \\ &lt;div> &amp;lt;',
    '\\*a\\* \\_b\\_ snake_case \\[c\\] \\`d\\` \\\\ \\<div> \\&lt;',
  ],
  ['lines that look like blocks', '<p># a<p>- b<p>1. c<p>> d<p>---', '\\# a\n\n\\- b\n\n1\\. c\n\n\\> d\n\n\\---'],
  [
    'what is not shown',
    '<p hidden>a</p><script>b</script><template>c</template><noscript>d</noscript><svg><title>e</title></svg>f',
    'f',
  ],
  ['nothing', '', ''],
]

for (const [name, source, markdown] of CASES)
  test(`Markdown: ${name}`, () => {
    assert.equal(toMarkdown(Buffer.from(source), 'https://e.com/d/'), `${markdown}\n`)
  })

test('no more is written than asked for', () => {
  assert.ok(toMarkdown(Buffer.from('<p>word '.repeat(10_000)), 'https://e.com/', 1000).length <= 1000)
})
