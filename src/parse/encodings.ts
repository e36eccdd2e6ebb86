/** Labels whose encoding the platform's decoder does not offer, since its only answer is one replacement character. */
const REPLACEMENT_LABELS = new Set([
  'replacement',
  'csiso2022kr',
  'hz-gb-2312',
  'iso-2022-cn',
  'iso-2022-cn-ext',
  'iso-2022-kr',
])

/** Written often, and in no standard. */
const COMMON_MISTAKES: Readonly<Record<string, string>> = {
  utf: 'utf-8',
  'utf8-bom': 'utf-8',
  'utf-8-bom': 'utf-8',
  utf8mb4: 'utf-8',
  'utf-16': 'utf-16le',
  'iso-8859': 'windows-1252',
  'windows-31j': 'shift_jis',
  cp932: 'shift_jis',
  'big5-hkscs': 'big5',
  cp936: 'gbk',
  cp949: 'euc-kr',
  'shift-jis': 'shift_jis',
}

/** A label, as pages write it → name in the WHATWG encoding standard. `undefined`: there is no such encoding. */
export function labelOf(label: string): string | undefined {
  const name = label.trim().toLowerCase()
  if (name === 'utf-8' || name === 'utf8') return 'utf-8'
  if (name === '' || name.length > 40) return undefined
  if (REPLACEMENT_LABELS.has(name)) return 'replacement'
  return platformName(COMMON_MISTAKES[name] ?? name)
}

function platformName(name: string): string | undefined {
  try {
    return new TextDecoder(name).encoding
  } catch (error) {
    // The only way to ask the platform which labels it knows.
    if (error instanceof RangeError) return undefined
    throw error
  }
}
