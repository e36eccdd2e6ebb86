import { skipWithout, withRedis } from '../fleet/fleet-of-web.ts'
import { demoWeb } from '../web/presets.ts'
import { crawlLife } from './crawl-life.ts'
import { serveFleet } from './served-fleet.ts'

crawlLife('a fleet', () => serveFleet(demoWeb), skipWithout(withRedis))
