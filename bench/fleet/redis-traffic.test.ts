import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readTraffic, trafficBetween, trafficOfPage } from './redis-traffic.ts'

const info = (calls: number, reads: number, cpu: string) => `# Stats\r
total_reads_processed:${reads}\r
total_net_input_bytes:1000\r
total_net_output_bytes:3000\r
# CPU\r
used_cpu_sys:${cpu}\r
used_cpu_user:1.500000\r
# Commandstats\r
cmdstat_evalsha:calls=${calls},usec=900,usec_per_call=3.00,rejected_calls=0,failed_calls=0\r
cmdstat_config|get:calls=5,usec=9,usec_per_call=3.00,rejected_calls=0,failed_calls=0\r
cmdstat_hget:calls=${10 * calls},usec=9,usec_per_call=3.00,rejected_calls=0,failed_calls=0\r
`

test('what a page costs Redis is the difference of two readings', () => {
  const spent = trafficBetween(readTraffic(info(100, 50, '0.25')), readTraffic(info(300, 90, '0.75')))
  assert.deepEqual(spent.commands, { evalsha: 200, hget: 2000 })
  assert.deepEqual(trafficOfPage(spent, 1000), {
    ...{ operations: 2.2, scripts: 0.2, roundTrips: 0.04, redisCpuMs: 0.5, bytes: 0 },
    commands: { hget: 2, evalsha: 0.2 },
  })
})

test('an engine that tells little is read as zero', () => {
  assert.deepEqual(readTraffic(''), { commands: {}, reads: 0, cpuMs: 0, bytesIn: 0, bytesOut: 0 })
})
