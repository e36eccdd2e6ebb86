import type { Config } from './config/schema.ts'
import { userAgent } from './fetch/http/request-headers.ts'
import { version } from './version.ts'

/** Stands in front of every WARC file. */
export function aboutUs(config: Config): Record<string, string> {
  return { software: `orbweaver/${version}`, 'http-header-user-agent': userAgent(config.fetch), robots: 'obey' }
}
