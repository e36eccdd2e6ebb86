import { isSpace } from './raw-text.ts'

/** What a byte does in a tag or a URL, a bit for each. */
export const ENDS_TAG_NAME = 1
export const ENDS_ATTRIBUTE_NAME = 2
export const PARTS_ATTRIBUTES = 4
export const ENDS_UNQUOTED = 8
/** The URL parser leaves it as it is in path, query and fragment. */
export const PLAIN_IN_URL = 16

export const byteClasses = new Uint8Array(256)

for (let byte = 0; byte < 256; byte++)
  if (isSpace(byte)) byteClasses[byte] = ENDS_TAG_NAME | ENDS_ATTRIBUTE_NAME | PARTS_ATTRIBUTES | ENDS_UNQUOTED
set('/', ENDS_TAG_NAME | ENDS_ATTRIBUTE_NAME | PARTS_ATTRIBUTES)
set('>', ENDS_TAG_NAME | ENDS_ATTRIBUTE_NAME | ENDS_UNQUOTED)
set('=', ENDS_ATTRIBUTE_NAME)
set('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_~!$&()*+,;=:@/?.%#', PLAIN_IN_URL)

function set(characters: string, classes: number): void {
  for (const character of characters) byteClasses[character.charCodeAt(0)]! |= classes
}
