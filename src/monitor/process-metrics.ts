import { monitorEventLoopDelay } from 'node:perf_hooks'
import { version } from '../version.ts'
import type { Instruments } from './instruments.ts'

/** What this process uses, looked at when somebody asks. */
export function watchProcess(instruments: Instruments): Disposable & { look(): void } {
  const delays = monitorEventLoopDelay({ resolution: 20 })
  delays.enable()
  instruments.set('orbweaver_build_info', 1, version)
  return {
    look() {
      const { user, system } = process.cpuUsage()
      instruments.set('orbweaver_process_cpu_seconds_total', (user + system) / 1e6)
      instruments.set('orbweaver_process_resident_memory_bytes', process.memoryUsage.rss())
      const worstNs = delays.count > 0 ? delays.max : 0
      instruments.set('orbweaver_process_event_loop_delay_seconds', worstNs / 1e9)
      delays.reset()
    },
    [Symbol.dispose]: () => void delays.disable(),
  }
}
