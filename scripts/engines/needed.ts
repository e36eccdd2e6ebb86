import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type EngineName, engineNames, isEngineName } from './names.ts'

/** Where engines are named because they are offered, not because they are needed. */
const offering = /(^|\/)(scripts\/engines\/(?!.*\.test\.ts)|test\/engines\.ts$)/

const imported = /(?:\bfrom|\bimport)\s*\(?\s*'(\.[^']+\.ts)'/g
const asked = /\bengineFor\(\s*([^,)]*)/g
const ownStarts: Readonly<Record<string, EngineName>> = {
  startRedis: 'redis',
  startRedisCluster: 'redis-cluster',
  startKafka: 'kafka',
  startS3: 's3',
  startOpenSearch: 'opensearch',
}
const started = new RegExp(`\\b(${Object.keys(ownStarts).join('|')})\\b`, 'g')

/** The engines that test files, or what they import, ask for. A name that only shows at run time may be any. */
export function enginesNeeded(files: readonly string[], read: (file: string) => string = textOf): EngineName[] {
  const needed = new Set<EngineName>()
  const seen = new Set<string>()
  const waiting = [...files]
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (seen.has(file) || offering.test(file)) continue
    seen.add(file)
    const text = read(file)
    for (const name of namedIn(text)) needed.add(name)
    for (const [, target] of text.matchAll(imported)) waiting.push(join(dirname(file), target!))
  }
  return engineNames.filter((name) => needed.has(name))
}

/** What is imported and not there is for the test that imports it to complain about. */
const textOf = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : '')

function namedIn(text: string): readonly EngineName[] {
  const questions = [...text.matchAll(asked)].flatMap(([, argument]) => {
    const name = argument!.replaceAll("'", '').trim()
    return isEngineName(name) ? [name] : engineNames
  })
  const starts = [...text.matchAll(started)].map(([, name]) => ownStarts[name!]!)
  return [...questions, ...starts]
}
