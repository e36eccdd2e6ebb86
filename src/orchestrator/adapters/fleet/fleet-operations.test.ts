import { skipWithout, withRedis } from '../../../../test/fleet/fleet-of-web.ts'
import { operationsConformance } from '../../operations.conformance.ts'
import { openTestFleet } from './test-fleet.ts'

operationsConformance('fleet', { paceMs: 200, skip: skipWithout(withRedis), open: openTestFleet })
