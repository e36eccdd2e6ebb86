import { NameTable } from './names.ts'

/** Attributes whose place the scanner notes; others are passed over. At most 31: one bit each. */
const NAMES = [
  '',
  'href',
  'src',
  'rel',
  'name',
  'content',
  'property',
  'http-equiv',
  'charset',
  'hidden',
  'lang',
  'xml:lang',
  'hreflang',
  'datetime',
  'type',
  'itemprop',
  'alt',
  'title',
  'class',
  'start',
  'shadowrootmode',
  'color',
  'face',
  'size',
  'encoding',
  'pubdate',
] as const

export const attributeTable = new NameTable(NAMES)

export type AttributeName = Exclude<(typeof NAMES)[number], ''>

/** The number by which the scanner names an attribute. */
export const Attribute = Object.fromEntries(NAMES.map((name, id) => [name, id])) as Readonly<
  Record<AttributeName, number>
>
