import { NameTable } from './names.ts'

/**
 * Attributes whose place the scanner notes, by the number by which it names them; others are passed over. At most 31: one bit
 * each. Written out, since V8 takes these for constants; an object that is put together it would ask each time.
 */
export const Attribute = {
  href: 1,
  src: 2,
  rel: 3,
  name: 4,
  content: 5,
  property: 6,
  'http-equiv': 7,
  charset: 8,
  hidden: 9,
  lang: 10,
  'xml:lang': 11,
  hreflang: 12,
  datetime: 13,
  type: 14,
  itemprop: 15,
  alt: 16,
  title: 17,
  class: 18,
  start: 19,
  shadowrootmode: 20,
  color: 21,
  face: 22,
  size: 23,
  encoding: 24,
  pubdate: 25,
} as const

export type AttributeName = keyof typeof Attribute

export const attributeTable = new NameTable(['', ...Object.keys(Attribute)])
