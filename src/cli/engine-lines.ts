import { type EngineName, engineNews } from '../monitor/events.ts'

const titles: Readonly<Record<EngineName, string>> = {
  redis: 'Redis',
  kafka: 'Kafka',
  s3: 'S3',
  opensearch: 'OpenSearch',
}

/** Says once when an engine goes away, and once when it is back: whoever looks at a crawl that stands still asks why. */
export function tellOfEngines(say: (line: string) => void): Disposable {
  const away = new Set<EngineName>()
  return engineNews.listen(({ engine, isAway, reason }) => {
    if (isAway === away.has(engine)) return
    if (isAway) away.add(engine)
    else away.delete(engine)
    say(isAway ? `${titles[engine]} is away (${reason}): waiting for it.` : `${titles[engine]} is back.`)
  })
}
