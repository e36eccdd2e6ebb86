/** What `INFO` tells, by name. */
export type Info = Readonly<Record<string, string>>

export function parsedInfo(text: string): Info {
  const lines = text.split('\r\n').filter((line) => line.includes(':'))
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]))
}

/** An engine that may throw away what it was given, in one sentence; `undefined`: it keeps all. */
export function evictionFault({ maxmemory = '0', maxmemory_policy: policy = 'noeviction' }: Info): string | undefined {
  if (maxmemory === '0' || policy === 'noeviction') return undefined
  return `maxmemory-policy is ${policy}: it would throw URLs away. Set it to noeviction.`
}

/** An engine that takes no more, in one sentence. */
export function fullnessFault({ maxmemory = '0', used_memory: used = '0' }: Info): string | undefined {
  if (maxmemory === '0' || Number(used) < Number(maxmemory)) return undefined
  return `its memory is full (${used} of ${maxmemory} bytes), so it takes no writes: raise its maxmemory.`
}
