import { NameTable } from './names.ts'

/** Elements that some part of the parser treats in its own way. Everything else is `other`. */
const NAMES: readonly string[] = [
  '',
  ...words(`a abbr address annotation annotation-xml applet area article aside audio b base basefont bgsound big
    blockquote body br button canvas caption center cite code col colgroup dd del desc details dialog dir div dl dt em
    embed fieldset figcaption figure font footer foreignobject form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup
    hr html i iframe image img input ins kbd keygen label legend li link listing main map mark marquee math menu meta
    metadata mglyph malignmark mi mn mo ms mtext nav nobr noembed noframes noscript object ol optgroup option p param
    picture plaintext pre q ruby rp rt s samp script search section select small source span strike strong style sub
    summary sup svg table tbody td template textarea tfoot th thead time title tr track tt u ul var video wbr xmp`),
]

export const tagTable = new NameTable(NAMES)

/** The number by which the scanner names an element; 0 when it is none of those above. */
export function tagId(name: string): number {
  return Math.max(0, NAMES.indexOf(name))
}

export function tagName(id: number): string {
  return NAMES[id] ?? ''
}

/** Starts and ends a line of the visible text. */
export const BLOCK = 1
/** Parts words in the visible text without starting a line. */
export const SPACE = 2
/** Has no content and no end tag. */
export const VOID = 4
/** Its start tag ends an open paragraph. */
export const CLOSES_P = 8
/** End tags of ordinary elements do not reach through it ("special" in the standard). */
export const SPECIAL = 16
/** Its content is text up to the end tag, without references. */
export const RAW = 32
/** Its content is text up to the end tag, with references. */
export const RCDATA = 64
/** Its start tag ends `svg` and `math`. */
export const BREAKS_OUT = 128
/** After its start tag a `frameset` is no longer one. */
export const NO_FRAMESET = 256
/** Paragraphs and cells outside of it are not seen from inside ("scope"). */
export const SCOPE = 512
/** What stands in it is not shown. */
export const UNSEEN = 1024
/** Counts only inside of a table. */
export const TABLE_PART = 2048
/** Its start tag may end others, as `open-elements.ts` lists them. */
export const HAS_RIVALS = 4096

/** By tag number: the properties above. */
export const tagFlags = new Uint16Array(256)

set(
  BLOCK,
  `address article aside blockquote caption center dd details dialog dir div dl dt fieldset figcaption figure footer
  form h1 h2 h3 h4 h5 h6 header hgroup hr legend li listing main menu nav ol optgroup option p plaintext pre
  search section summary table tbody tfoot thead tr ul xmp br`,
)
set(SPACE, 'td th button img input select textarea iframe object video audio canvas embed image svg math')
set(VOID, 'area base basefont bgsound br col embed frame hr img image input keygen link meta param source track wbr')
set(
  CLOSES_P,
  `address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5
  h6 header hgroup hr li dd dt listing main menu nav ol p plaintext pre search section summary table ul xmp`,
)
set(
  SPECIAL,
  `address applet article aside base basefont bgsound blockquote body br button caption center col colgroup dd desc details
  dir div dl dt embed fieldset figcaption figure footer foreignobject form frame frameset h1 h2 h3 h4 h5 h6 head header
  hgroup hr html iframe img input keygen li link listing main marquee menu meta nav noembed noframes noscript object ol p
  param plaintext pre script search section select source style summary table tbody td template textarea tfoot th thead
  title tr track ul wbr xmp annotation-xml mi mn mo ms mtext`,
)
set(RAW, 'script style xmp iframe noembed noframes plaintext')
set(RCDATA, 'title textarea')
set(
  BREAKS_OUT,
  `b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr ol p
  pre ruby s small span strong strike sub sup table tt u ul var`,
)
set(
  NO_FRAMESET,
  `applet area body br button dd dt embed hr iframe image img input keygen li listing marquee object pre select table
  textarea wbr xmp`,
)
set(SCOPE, 'applet button caption foreignobject html marquee object table td template th')
set(UNSEEN, 'noscript template')
set(TABLE_PART, 'td th tr tbody thead tfoot')
set(HAS_RIVALS, 'a li dd dt option optgroup td th tr tbody thead tfoot')

function set(flag: number, names: string) {
  for (const name of words(names)) tagFlags[tagId(name)]! |= flag
}

function words(text: string): string[] {
  return text.trim().split(/\s+/)
}

/** Numbers of the elements that code asks for by name. */
export const Tag = {
  a: tagId('a'),
  address: tagId('address'),
  annotation: tagId('annotation'),
  annotationXml: tagId('annotation-xml'),
  area: tagId('area'),
  base: tagId('base'),
  body: tagId('body'),
  br: tagId('br'),
  dd: tagId('dd'),
  desc: tagId('desc'),
  dialog: tagId('dialog'),
  div: tagId('div'),
  dt: tagId('dt'),
  font: tagId('font'),
  foreignObject: tagId('foreignobject'),
  frame: tagId('frame'),
  frameset: tagId('frameset'),
  h1: tagId('h1'),
  h6: tagId('h6'),
  head: tagId('head'),
  html: tagId('html'),
  iframe: tagId('iframe'),
  image: tagId('image'),
  img: tagId('img'),
  li: tagId('li'),
  link: tagId('link'),
  math: tagId('math'),
  meta: tagId('meta'),
  metadata: tagId('metadata'),
  mglyph: tagId('mglyph'),
  malignmark: tagId('malignmark'),
  mi: tagId('mi'),
  mn: tagId('mn'),
  mo: tagId('mo'),
  ms: tagId('ms'),
  mtext: tagId('mtext'),
  noframes: tagId('noframes'),
  noscript: tagId('noscript'),
  optgroup: tagId('optgroup'),
  option: tagId('option'),
  p: tagId('p'),
  plaintext: tagId('plaintext'),
  pre: tagId('pre'),
  script: tagId('script'),
  select: tagId('select'),
  style: tagId('style'),
  svg: tagId('svg'),
  table: tagId('table'),
  tbody: tagId('tbody'),
  td: tagId('td'),
  template: tagId('template'),
  textarea: tagId('textarea'),
  tfoot: tagId('tfoot'),
  th: tagId('th'),
  thead: tagId('thead'),
  time: tagId('time'),
  title: tagId('title'),
  tr: tagId('tr'),
  xmp: tagId('xmp'),
} as const
