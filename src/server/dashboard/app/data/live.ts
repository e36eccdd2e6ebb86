import type { Snapshot, Vitals } from '../../../api/schemas/overview.ts'
import { recent } from './history.ts'
import { api, enter, entry, noteLock } from './session.ts'
import { store } from './store.ts'

export interface Live {
  readonly state: 'connecting' | 'live' | 'offline'
  readonly kind: 'folder' | 'fleet'
  readonly now: Snapshot | null
  readonly history: readonly Vitals[]
}

/** What the server tells each second, with the hour before. */
export const live = store<Live>({ state: 'connecting', kind: 'folder', now: null, history: [] })

/** A server that is silent for so long has gone, though its connection may still be open. */
const silenceMs = 6000
const waitsMs = [500, 1000, 2000, 4000, 5000]

/** Follows the server for as long as the dashboard is open: whenever it goes away, it is sought again. */
export async function followServer(): Promise<never> {
  for (let failures = 0; ; failures++) {
    if (await follow()) failures = 0
    if (live.value.state !== 'connecting') live.set({ ...live.value, state: 'offline' })
    await sleep(waitsMs[Math.min(failures, waitsMs.length - 1)]!)
    await unlocked()
  }
}

/** Answers, when the connection has ended, whether there was one. */
async function follow(): Promise<boolean> {
  let connected = false
  const ending = new AbortController()
  let silence = setTimeout(() => ending.abort(), silenceMs)
  try {
    // Both at once: the first figures are what the reader waits for.
    const entered = entry.value.kind === 'in' ? undefined : enter()
    const [{ kind, now, history }] = await Promise.all([api().getOverview({}, ending.signal), entered])
    live.set({ state: 'live', kind, now, history })
    for await (const snapshot of api().events(ending.signal)) {
      clearTimeout(silence)
      silence = setTimeout(() => ending.abort(), silenceMs)
      connected = true
      live.set({ ...live.value, state: 'live', now: snapshot, history: recent(live.value.history, snapshot) })
    }
  } catch (error) {
    if (!noteLock(error) && !connected && live.value.state === 'connecting')
      live.set({ ...live.value, state: 'offline' })
  } finally {
    clearTimeout(silence)
  }
  return connected
}

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

function unlocked(): Promise<void> {
  return new Promise((resolve) => {
    const stop = entry.watch(look)
    function look() {
      if (entry.value.kind === 'locked') return
      stop()
      resolve()
    }
    look()
  })
}
