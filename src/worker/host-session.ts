import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '../clock.ts'
import type { CrawlRequest, Frontier, Hold, HostLease, HostReport, Settled } from '../frontier/frontier.ts'
import { robotsAnswers, settlements, staged } from '../monitor/events.ts'
import type { HostDecision } from '../politeness/host-decisions.ts'
import { type HostSettings, withCrawlDelay } from '../politeness/host-settings.ts'
import { afterOutcome, type HostEvent, inheritedPace, type Pace } from '../politeness/pace.ts'
import { Pacer } from '../politeness/pacer.ts'
import { crawlDelayMs, ROBOTS_TOKEN } from '../politeness/robots.ts'
import type { RobotsAnswer, RobotsCache } from '../politeness/robots-cache.ts'
import { type CanonicalUrl, type HostKey, hostnameOf, type Origin, originOf } from '../url/keys.ts'
import type { Alarms } from './alarms.ts'
import type { ForeignTouches } from './foreign-touches.ts'
import { HeldLease } from './held-lease.ts'
import type { PageLimit, WasPage } from './limits.ts'
import type { Lull } from './lull.ts'
import { type Permission, permission } from './permission.ts'
import { giveBackSlot } from './room.ts'
import type { Slots } from './slots.ts'
import type { Sundries } from './sundries.ts'
import type { Visited, Visits } from './visit.ts'
import { urlsPerLease } from './worker.ts'

export interface SessionParts {
  readonly frontier: Frontier
  readonly visits: Visits
  /** Resolves when what visits have kept is safe: before that they must not be settled. */
  readonly safe: () => Promise<void>
  /** Left out: what visits have kept does not wait for more. */
  readonly lull?: Lull
  /** As of `CrawlPorts`: until then a visit that has kept its page has its slot. Left out: there is always room. */
  readonly room?: () => Promise<void> | undefined
  /** Counted, but belonging to no visit: taken along by the next settlement. */
  readonly sundries: Sundries
  readonly robots: RobotsCache
  /** An origin is about to be visited; `sitemaps`: those that its robots.txt names. Left out: nothing follows from it. */
  readonly onOrigin?: (origin: Origin, sitemaps: readonly string[]) => Promise<void> | undefined
  readonly limit: PageLimit
  readonly slots: Slots
  readonly alarms: Alarms
  readonly foreign: ForeignTouches
  readonly keyOf: (url: CanonicalUrl) => HostKey
  readonly clock: Clock
  readonly settingsFor: (hostname: string) => HostSettings
  /** What an operator has decided for a host meanwhile. Left out: nothing. */
  readonly decisionFor?: (hostname: string) => HostDecision
  /** The origin whose pages that of a URL repeats: nothing more is asked of a mirror. Left out: there are none. */
  readonly mirroredBy?: (url: CanonicalUrl) => Origin | undefined
  /** The crawl rests: begin no further visit until it goes on. Left out: never. */
  readonly isPaused?: () => boolean
  /** Set: begin no further visit. */
  readonly draining: AbortSignal
  /** Set: give up visits under way too. */
  readonly aborting: AbortSignal
  /** May a session take more of its host than it was given? */
  readonly mayExtend: () => boolean
  /**
   * Each question to the frontier costs: for a host with a slow pace, or without news, one for more URLs goes along with
   * what is settled. Left out: more are asked for as soon as they could be begun.
   */
  readonly asksSparingly?: boolean
  readonly fail: (error: unknown) => void
}

const sessionMs = 30_000
/** In less time a page is hardly settled. */
const slowGapMs = 1_000
/** How often a host that an operator has paused is looked at again. */
const operatorHoldMs = 2_000
/**
 * robots.txt is small, asked for once a day, and what everybody expects of a crawler before its first page, which other
 * crawlers fetch without any wait. A quarter of the gap after it is enough, unless it asks for a delay itself.
 */
const robotsWeight = 0.25
/** Decisions that need no touch come one after the other without end: now and then others must have a turn. */
const decisionsInARow = 64
/** Robots.txt is not asked for on the user's own hosts, where they say so. */
const ownHost: Permission = { kind: 'allowed', crawlDelayMs: null }

/**
 * One held lease: visits its URLs at the host's pace, several at a time where the pace allows, and hands the host back
 * with what was learned about it. While it lasts nobody else touches the host.
 */
export class HostSession {
  readonly #parts: SessionParts
  readonly #queue: CrawlRequest[]
  readonly #pacer: Pacer
  readonly #endsAt: number
  readonly #lease: HeldLease
  /** Visits, with when they began: the oldest first. */
  readonly #underWay = new Map<Promise<void>, number>()
  /** Visits whose settlement is not yet on its way. */
  #unsettled = 0
  #allSettled = Promise.withResolvers<void>()
  /** Made when somebody waits for one to end. */
  #touchEnded: PromiseWithResolvers<void> | undefined
  #settings: HostSettings
  #hold: { readonly until: number; readonly reason: string } | undefined
  #decisions = 0
  #settledAny = false

  constructor(lease: HostLease, parts: SessionParts) {
    this.#parts = parts
    this.#lease = new HeldLease(lease, { ...parts, oldestVisit: () => this.#underWay.values().next().value })
    this.#queue = [...lease.requests]
    const now = parts.clock.now()
    this.#settings = parts.settingsFor(hostnameOf(lease.requests[0]!.url))
    this.#pacer = new Pacer(inheritedPace(lease.pace, this.#settings, null), now + lease.waitMs, lease.quietMs)
    this.#endsAt = Math.min(now + sessionMs, this.#lease.endsAt)
  }

  /** Answers whether anything was settled for good. */
  async run(): Promise<boolean> {
    try {
      do {
        await this.#beginAll()
        if (this.#unsettled > 0) await this.#allSettled.promise
      } while (await this.#goesOn())
      await Promise.all(this.#underWay.keys())
    } catch (error) {
      this.#parts.fail(error)
    } finally {
      await this.#lease.close()
    }
    return this.#settledAny
  }

  async #beginAll(): Promise<void> {
    const { lull } = this.#parts
    lull?.begun()
    try {
      for (let next = await this.#next(); next; next = await this.#next()) await this.#begin(next)
    } finally {
      lull?.over()
    }
  }

  get #over(): boolean {
    const { draining, clock, isPaused } = this.#parts
    return (
      this.#lease.isLost ||
      this.#hold !== undefined ||
      draining.aborted ||
      isPaused?.() === true ||
      clock.now() >= this.#endsAt
    )
  }

  #next(): CrawlRequest | undefined | Promise<CrawlRequest | undefined> {
    if (this.#queue.length === 0 && this.#mayExtend && !this.#mayAskLater) return this.#further()
    return this.#over ? undefined : this.#queue.shift()
  }

  async #further(): Promise<CrawlRequest | undefined> {
    this.#queue.push(...(await this.#lease.renew(this.#batch)))
    return this.#over ? undefined : this.#queue.shift()
  }

  get #mayExtend(): boolean {
    return !this.#over && this.#parts.mayExtend()
  }

  /** Whether it is soon enough to ask for more when what is under way is settled: then both go together. */
  get #mayAskLater(): boolean {
    const { asksSparingly, frontier } = this.#parts
    if (!asksSparingly || this.#lease.hadMore) return false
    return this.#pacer.pace.gapMs >= slowGapMs || frontier.hasNews?.(this.#lease.current) === false
  }

  get #batch(): number {
    return Math.max(urlsPerLease, 2 * this.#pacer.pace.connections)
  }

  async #begin(request: CrawlRequest): Promise<void> {
    const { limit } = this.#parts
    const { url } = request
    const hostname = hostnameOf(url)
    const decision = this.#parts.decisionFor?.(hostname)
    if (decision?.block) return this.#decide({ url, kind: 'excluded', reason: 'blocked-by-operator' })
    if (decision?.pause) return this.#holdFor({ ms: operatorHoldMs, reason: 'paused-by-operator' })
    const mirrored = this.#parts.mirroredBy?.(url)
    if (mirrored) return this.#decide({ url, kind: 'excluded', reason: `mirror: of ${mirrored}` })
    const settings = this.#parts.settingsFor(hostname)
    const answer = settings.ignoreRobots ? await this.#ownHost(url) : await this.#askRobots(url)
    switch (answer.kind) {
      case 'unasked':
        return
      case 'unavailable':
        this.#holdFor({ ms: answer.retryInMs, reason: answer.reason })
        return
      case 'unreachable':
        return this.#decide({ url, kind: 'dead', reason: answer.reason })
      case 'disallowed':
        return this.#decide({ url, kind: 'excluded', reason: answer.reason })
      case 'allowed':
        this.#obey(settings, answer.crawlDelayMs)
        if (!(await limit.reserve())) return
        if (await this.#touch()) this.#start(request)
        else limit.giveBack(false)
        return
      default:
        answer satisfies never
    }
  }

  async #decide(settled: Settled): Promise<void> {
    await this.#settle(settled)
    this.#decisions++
    if (this.#decisions % decisionsInARow === 0) await nextTurn()
  }

  async #settle(settled: Settled): Promise<boolean> {
    const { frontier, sundries } = this.#parts
    const adds = sundries.takeWith(settled.adds)
    const counted = adds === settled.adds ? settled : { ...settled, adds }
    const answer = await frontier.settle(this.#lease.current, [counted], this.#heldFor())
    if (settlements.isHeard) settlements.tell({ host: this.#host, visit: counted, answer })
    if (answer === 'lease-lost') this.#lease.lose()
    this.#settledAny ||= answer === 'settled' && settled.kind !== 'retry'
    return answer === 'settled'
  }

  get #host(): HostKey {
    return this.#lease.current.host
  }

  /** At once where the rules are known, as they are for all pages but the first. */
  #askRobots(url: CanonicalUrl): Permission | Promise<Permission> {
    const origin = originOf(url)
    const known = this.#parts.robots.peek(origin)
    const told = (answer: RobotsAnswer) => this.#toldBy(answer, origin, url)
    return known ? told(known) : this.#fetchRobots(origin).then(told)
  }

  #toldBy(answer: RobotsAnswer, origin: Origin, url: CanonicalUrl): Permission | Promise<Permission> {
    const naming = answer.kind === 'rules' ? this.#parts.onOrigin?.(origin, answer.rules.sitemaps) : undefined
    return naming ? naming.then(() => permission(answer, url)) : permission(answer, url)
  }

  async #fetchRobots(origin: Origin): Promise<RobotsAnswer> {
    const { robots, keyOf, foreign, aborting } = this.#parts
    let touching = false
    const beforeTouch = async (hop: string) => {
      if (touching) this.#endRobots(true)
      const host = keyOf(hop as CanonicalUrl)
      if (host !== this.#host) await foreign.turn(host, this.#settings.delayMs, aborting)
      touching = await this.#touch()
      return touching && { onSent: this.#sentMark(), sendBefore: this.#lease.sendBefore }
    }
    const answer = await robots.rulesFor(origin, beforeTouch)
    if (touching) {
      robotsAnswers.tell({ origin, answer: answer.kind })
      this.#endRobots(answer.kind === 'rules')
      if (answer.kind === 'rules' && crawlDelayMs(answer.rules, ROBOTS_TOKEN) === null)
        this.#pacer.weighLastTouch(robotsWeight)
    }
    return answer
  }

  async #ownHost(url: CanonicalUrl): Promise<Permission> {
    await this.#parts.onOrigin?.(originOf(url), [])
    return ownHost
  }

  #endRobots(answered: boolean): void {
    this.#endTouch()
    this.#parts.slots.giveBack(answered)
  }

  /** A key may stand for hosts with different settings: the strictest hold for all of them. */
  #obey(settings: HostSettings, crawlDelayMs: number | null): void {
    const wanted = withCrawlDelay(settings, crawlDelayMs)
    if (wanted.delayMs <= this.#settings.delayMs) return
    this.#settings = wanted
    this.#pacer.setPace(inheritedPace(this.#pacer.pace, wanted, crawlDelayMs))
    // Rules that were there before us with a delay that the lease does not know: whoever asked for them died before it
    // could hand the host back, perhaps a moment after it touched it.
    if (this.#pacer.lastTouchAt === null && this.#lease.current.pace.gapMs < this.#settings.delayMs)
      this.#pacer.holdUntil(this.#parts.clock.now() + this.#settings.delayMs)
  }

  /** Waits for the host's pace and a slot, and marks the touch. False: the session is over. */
  async #touch(): Promise<boolean> {
    const { clock, slots, alarms } = this.#parts
    while (!this.#over) {
      const waitMs = this.#pacer.nextTouchInMs(clock.now())
      if (waitMs === null) {
        this.#touchEnded ??= Promise.withResolvers()
        await this.#touchEnded.promise
      } else if (waitMs > 0) {
        await alarms.until(Math.min(clock.now() + waitMs, Math.max(clock.now() + 1, this.#endsAt)))
      } else if (await slots.take()) {
        // Waiting for a slot takes time: the pace may have changed, the session may be over.
        if (!this.#over && this.#pacer.nextTouchInMs(clock.now()) === 0) {
          this.#pacer.touched(clock.now())
          return true
        }
        slots.giveBack()
      }
    }
    return false
  }

  /** The host has done its part of a touch. */
  #endTouch(): void {
    this.#pacer.finished()
    this.#touchEnded?.resolve()
    this.#touchEnded = undefined
  }

  #start(request: CrawlRequest): void {
    const over = (wasPage: WasPage) => {
      this.#parts.limit.giveBack(wasPage)
      this.#underWay.delete(visit)
    }
    const visit = staged('visit', request.url, () => this.#make(request)).then(over, (error) => {
      this.#parts.fail(error)
      over(false)
    })
    this.#underWay.set(visit, this.#parts.clock.now())
    this.#unsettled++
    this.#lease.keep()
  }

  /** Answers whether the crawl has one more page. */
  async #make(request: CrawlRequest): Promise<WasPage> {
    let settling: Promise<WasPage> | undefined
    try {
      const visited = await this.#visit(request)
      if (visited) await staged('safe', visited.settled.url, () => this.#safe())
      settling = visited && this.#end(visited)
    } finally {
      if (--this.#unsettled === 0) {
        this.#allSettled.resolve()
        this.#allSettled = Promise.withResolvers()
      }
    }
    return (await settling) ?? false
  }

  async #visit(request: CrawlRequest): Promise<Visited | undefined> {
    const { visits, clock } = this.#parts
    const startedAt = clock.now()
    let answered: boolean | undefined
    try {
      return await visits.visit(request, {
        sendBefore: this.#lease.sendBefore,
        sent: this.#sentMark(),
        ended: (event) => {
          this.#endTouch()
          if (event) this.#learn(event, startedAt)
          answered = event?.kind !== 'failure'
        },
      })
    } finally {
      giveBackSlot(this.#parts, answered)
    }
  }

  async #end({ settled, release }: Visited): Promise<WasPage> {
    const counted = await staged('settle', settled.url, () => this.#settle(settled))
    release()
    if (settled.adds?.pages !== 1) return false
    // An engine that was away may have settled it, and not have been heard.
    return counted || 'unclear'
  }

  #safe(): Promise<void> {
    const { safe, lull } = this.#parts
    const isSafe = safe()
    lull?.look()
    return isSafe
  }

  /** To be called when the request that was just marked as a touch goes out. */
  #sentMark(): () => void {
    const { clock } = this.#parts
    const touchedAt = clock.now()
    return () => this.#pacer.sent(clock.now(), touchedAt)
  }

  #learn(event: HostEvent, startedAt: number): void {
    const learned = afterOutcome(this.#pacer.pace, event, this.#parts.clock.now(), this.#settings, startedAt)
    this.#pacer.setPace(learned.pace)
    if (learned.hold) this.#holdFor(learned.hold)
  }

  /** Of several the longest counts. */
  #holdFor({ ms, reason }: Hold): void {
    const until = this.#parts.clock.now() + ms
    if (!this.#hold || until > this.#hold.until) this.#hold = { until, reason }
  }

  #heldFor(): Hold | undefined {
    return this.#hold && { ms: this.#hold.until - this.#parts.clock.now(), reason: this.#hold.reason }
  }

  /** Hands the host back, unless it has more to visit and may be kept. What is being settled goes along. */
  async #goesOn(): Promise<boolean> {
    if (this.#lease.isLost) return false
    const further = this.#parts.asksSparingly && this.#mayExtend ? this.#batch : 0
    const requests = await this.#lease.leave(this.#report(), further)
    this.#queue.push(...(requests ?? []))
    return requests !== undefined
  }

  #report(): HostReport {
    const { lastTouchAt } = this.#pacer
    // The clock rounds down: the touch may have been up to a millisecond later.
    const touchedMsAgo = lastTouchAt === null ? null : Math.max(0, this.#parts.clock.now() - lastTouchAt - 1)
    const { slowedAt: _byMyClock, ...pace }: Pace = this.#pacer.pace
    const hold = this.#heldFor()
    return { touchedMsAgo, pace, ...(hold ? { hold } : {}) }
  }
}
