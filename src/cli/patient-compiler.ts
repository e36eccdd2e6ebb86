import { setWhenLoaded } from './late-flags.ts'

/** Ten times what V8 waits for by itself. */
const CALLS_BEFORE_OPTIMISING = 30_000

/**
 * A crawl has hundreds of functions that run once for each page. By its own measure V8 takes them through its last and
 * dearest compiler after some ten thousand pages, all within seconds: some 0.4 s of CPU time that they never bring in,
 * since the second best one has made them already. What is called for each link or byte still comes to it soon.
 */
export function compilePatiently(): void {
  setWhenLoaded(`--invocation-count-for-turbofan=${CALLS_BEFORE_OPTIMISING}`)
}
