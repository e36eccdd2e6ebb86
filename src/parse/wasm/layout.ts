/**
 * Where things lie in the memory of the page scanner. This file is compiled twice, as TypeScript and as AssemblyScript, so
 * both sides of the boundary agree by construction.
 */

/** What a pass found, as 32-bit numbers. */
export const CELLS = 0x100
/** By tag number: the flags of `tags.ts`, 2 bytes each. */
export const TAG_FLAGS = 0x400
/** Names of `tags.ts` and `attributes.ts`, 16 bytes each, filled up with zeros, and hash tables of the numbers of long ones. */
export const TAG_SLOTS = 0x800
export const TAG_NAMES = 0x1000
export const ATTRIBUTE_SLOTS = 0x2000
export const ATTRIBUTE_NAMES = 0x2400
/** By byte: the classes of `byte-classes.ts`. */
export const BYTE_CLASSES = 0x2600
/** By tag number: 1 where the attributes are of interest. */
export const ATTRIBUTES_WANTED = 0x2700
/** By attribute number: places of its value in the document, 4 bytes each. */
export const VALUE_STARTS = 0x2800
export const VALUE_ENDS = 0x2880
/** By tag number: how many are open, 4 bytes each. */
export const OPEN_COUNTS = 0x2a00
/** By a hash of the name of a `meta`: 1 where it may be one whose content is kept. */
export const META_SLOTS = 0x2e00
/** Names of character references met so far, 16 bytes each. */
export const REFERENCES = 0x3400
/** Values of `rel` met on the page, 16 bytes each. */
export const RELS = 0x4400
export const FOREIGN_STACK = 0x4800
/** Up to U+024F: the lower-case letter, one digit for all, 0 for what parts words; 2 bytes each. */
export const FOLDED = 0x4900
/** For words: sums over the letters of 64 bytes, 4 bytes each. */
export const LETTER_SUMS = 0x4e00
/** For SimHash: features that wait to be counted, their halves, how many have each bit set, and those counted last. */
export const FEATURES = 0x5000
export const FEATURES_HIGH = 0x5400
export const FEATURES_LOW = 0x5900
export const BIT_COUNTS = 0x5e00
export const COUNTED = 0x7000
/** For languages: letters up to U+024F, as `words.ts` has them, 2 bytes each. */
export const LATIN_LETTERS = 0x6000
/** Where `COUNTED` is too. For languages: words of a sample, their n-grams, those that have spoken, sums by language. */
export const WORDS = 0x7000
export const GRAMS = 0x8000
export const SPOKEN = 0xa000
export const LANGUAGE_SUMS = 0xa800
/** Constants of the compiler. */
export const STATICS = 0xf000
/** Hash tables of short names with their numbers, 8 bytes each. */
export const SHORT_TAGS = 0x10000
export const SHORT_ATTRIBUTES = 0x12000
/** Places of `<` in a piece of the document, 4 bytes each. */
export const OPENS = 0x14000
/** The file of languages. */
export const LANGUAGE_TABLES = 0x16800
/** The document; behind it, made to its measure, what the pass writes. */
export const INPUT = 0x156800

/** Numbers in `CELLS`. */
export const TEXT_AT = 0
export const TEXT_BYTES = 1
export const LINKS_AT = 2
export const LINK_COUNT = 3
export const HREFS_AT = 4
export const HREFS_BYTES = 5
/** What a character reference stands for, as the host has looked it up. */
export const FIRST = 6
export const SECOND = 7
/** SimHash, high and low half. */
export const HIGH = 8
export const LOW = 9
/** Chance for the keys of references, so that nobody can make two equal. */
export const SEED_LOW = 10
export const SEED_HIGH = 11

/** Numbers of a link. Places of hrefs are in the hrefs, those of texts in the text (in the document for an hreflang). */
export const LINK_NUMBERS = 13
export const KIND = 0
export const SHAPE = 1
export const HREF_START = 2
export const HREF_END = 3
export const REL = 4
export const LABEL_START = 5
export const LABEL_END = 6
/** The same in UTF-16 units, if the text is well-formed. */
export const UNIT_START = 7
export const UNIT_END = 8
/** Place of the raw value in the document. */
export const RAW_START = 9
export const RAW_END = 10
/** Tells references apart, as 64 bits, that depend on nothing but the origin of the base; 0 for others. */
export const KEY_LOW = 11
export const KEY_HIGH = 12

/** Kinds of links, by their place in `LINK_KINDS`. */
export const KIND_A = 1
export const KIND_AREA = 2
export const KIND_IFRAME = 3
export const KIND_FRAME = 4
export const KIND_REFRESH = 8
/** The text of the link is the value of `hreflang`, in the document. */
export const LABEL_IN_DOCUMENT = 256

/** Options of a pass. */
export const WITH_TEXT = 1
export const ALL_LINKS = 2
export const WITH_LABELS = 4
export const WITH_DATA = 8

/** Instead of the number of a language. */
export const NO_LANGUAGE = -1
export const NOT_LATIN = -2
