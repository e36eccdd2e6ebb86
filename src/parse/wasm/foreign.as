import { FOREIGN_STACK, TAG_FLAGS } from './layout'
import { BREAKS_OUT, Tag } from './tables'

/** The twin of `foreign.ts`. */
const MAX_DEPTH = 128

let depth = 0

export function resetForeign(): void {
  depth = 0
}

@inline export function isForeignTouched(): bool {
  return depth > 0
}

@inline export function isForeignInside(): bool {
  return depth > 0 && isRoot(top())
}

@inline function top(): i32 {
  return load<u8>(FOREIGN_STACK + depth - 1)
}

@inline function isRoot(tag: i32): bool {
  return tag == Tag.svg || tag == Tag.math
}

export function startForeign(tag: i32, selfClosing: bool, breaksOut: bool, htmlEncoding: bool): bool {
  if (isForeignInside()) {
    const flags = load<u16>(TAG_FLAGS + tag * 2)
    if ((flags & BREAKS_OUT) != 0 || (tag == Tag.font && breaksOut)) {
      leave()
      return false
    }
    if (!selfClosing && (isRoot(tag) || isIntegrationPoint(tag, htmlEncoding))) push(tag)
    return true
  }
  if (!isRoot(tag)) return depth > 0 && (tag == Tag.mglyph || tag == Tag.malignmark)
  if (!selfClosing) push(tag)
  return true
}

export function endForeign(tag: i32): void {
  if (isForeignInside()) {
    if (tag == Tag.p || tag == Tag.br) leave()
    else endNearest(tag)
  } else if (depth > 0 && top() == tag) depth--
  else if (depth > 0 && tag == Tag.svg && (top() == Tag.title || top() == Tag.desc)) endNearest(tag)
}

function endNearest(tag: i32): void {
  for (let at = depth - 1; at >= 0; at--) {
    if (<i32>load<u8>(FOREIGN_STACK + at) == tag) {
      depth = at
      return
    }
  }
}

function push(tag: i32): void {
  if (depth < MAX_DEPTH) store<u8>(FOREIGN_STACK + depth++, tag)
}

function leave(): void {
  while (isForeignInside()) depth--
}

function isIntegrationPoint(tag: i32, htmlEncoding: bool): bool {
  if (top() == Tag.svg) return tag == Tag.foreignObject || tag == Tag.desc || tag == Tag.title
  if (tag == Tag.annotationXml) return htmlEncoding
  return tag == Tag.mi || tag == Tag.mn || tag == Tag.mo || tag == Tag.ms || tag == Tag.mtext
}
