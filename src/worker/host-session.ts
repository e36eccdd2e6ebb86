import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '../clock.ts'
import type { CrawlRequest, Frontier, Hold, HostLease, Settled } from '../frontier/frontier.ts'
import { lostLeases, robotsAnswers, settlements, staged } from '../monitor/events.ts'
import type { HostDecision } from '../politeness/host-decisions.ts'
import { type HostSettings, withCrawlDelay } from '../politeness/host-settings.ts'
import { afterOutcome, type HostEvent, inheritedPace, type Pace } from '../politeness/pace.ts'
import { Pacer } from '../politeness/pacer.ts'
import { crawlDelayMs, ROBOTS_TOKEN } from '../politeness/robots.ts'
import type { RobotsCache } from '../politeness/robots-cache.ts'
import { type CanonicalUrl, type HostKey, hostnameOf, type Origin, originOf } from '../url/keys.ts'
import type { Alarm, Alarms } from './alarms.ts'
import type { ForeignTouches } from './foreign-touches.ts'
import type { PageLimit } from './limits.ts'
import type { Lull } from './lull.ts'
import { type Permission, permission } from './permission.ts'
import type { Slots } from './slots.ts'
import type { Sundries } from './sundries.ts'
import type { Visited, Visits } from './visit.ts'

export interface SessionParts {
  readonly frontier: Frontier
  readonly visits: Visits
  /** Resolves when what visits have kept is safe: before that they must not be settled. */
  readonly safe: () => Promise<void>
  /** Left out: what visits have kept does not wait for more. */
  readonly lull?: Lull
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
  readonly fail: (error: unknown) => void
}

const sessionMs = 30_000
/** A lease is left this long before it expires, or a quarter of it if that is less. */
const maxMarginMs = 2_000
const minKeepMs = 100
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
  readonly #marginMs: number
  readonly #underWay = new Set<Promise<void>>()
  /** Made anew each time one ends. */
  #touchEnded = Promise.withResolvers<void>()
  #lease: HostLease
  #halfMs: number
  #settings: HostSettings
  #hold: { readonly until: number; readonly reason: string } | undefined
  #keeping: Alarm | undefined
  #renewing: Promise<void> | undefined
  #lost = false
  #decisions = 0
  #settledAny = false

  constructor(lease: HostLease, parts: SessionParts) {
    this.#parts = parts
    this.#lease = lease
    this.#queue = [...lease.requests]
    const now = parts.clock.now()
    this.#settings = parts.settingsFor(hostnameOf(lease.requests[0]!.url))
    this.#pacer = new Pacer(inheritedPace(lease.pace, this.#settings, null), now + lease.waitMs, lease.quietMs)
    this.#halfMs = (lease.expiresAt - now) / 2
    this.#marginMs = Math.min(maxMarginMs, this.#halfMs / 2)
    this.#endsAt = Math.min(now + sessionMs, lease.expiresAt - this.#marginMs)
  }

  /** Answers whether anything was settled for good. */
  async run(): Promise<boolean> {
    try {
      await this.#beginAll()
      await Promise.all(this.#underWay)
      if (!this.#lost) await this.#release()
    } catch (error) {
      this.#parts.fail(error)
    } finally {
      await this.#renewing
      this.#keeping?.cancel()
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

  /**
   * Visits may outlast the lease: a large body that flows slowly, a hook or an engine that takes its time. It is renewed
   * when half of it is over; the other half is for a machine that stalls, since what is not settled in time is fetched
   * again.
   */
  #keepLease(): void {
    const { clock, alarms } = this.#parts
    const halfOver = this.#lease.expiresAt - this.#halfMs
    this.#keeping = alarms.at(Math.max(halfOver, clock.now() + minKeepMs), () => {
      if (clock.now() < halfOver) return this.#keepLease()
      if (this.#underWay.size > 0) this.#renewing = this.#renewKept()
      else this.#keeping = undefined
    })
  }

  async #renewKept(): Promise<void> {
    try {
      await this.#renew(0)
      if (!this.#lost) this.#keepLease()
    } catch (error) {
      this.#parts.fail(error)
    }
  }

  get #over(): boolean {
    const { draining, clock, isPaused } = this.#parts
    return (
      this.#lost || this.#hold !== undefined || draining.aborted || isPaused?.() === true || clock.now() >= this.#endsAt
    )
  }

  async #next(): Promise<CrawlRequest | undefined> {
    if (this.#queue.length === 0 && !this.#over && this.#parts.mayExtend())
      await this.#renew(Math.max(10, 2 * this.#pacer.pace.connections))
    return this.#over ? undefined : this.#queue.shift()
  }

  async #renew(maxUrls: number): Promise<void> {
    const askedAt = this.#parts.clock.now()
    const renewed = await this.#parts.frontier.renew(this.#lease, maxUrls)
    if (renewed === 'lease-lost') {
      this.#loseLease()
      return
    }
    this.#lease = renewed
    this.#halfMs = (renewed.expiresAt - askedAt) / 2
    this.#queue.push(...renewed.requests)
  }

  async #begin(request: CrawlRequest): Promise<void> {
    const { limit } = this.#parts
    const { url } = request
    const decision = this.#parts.decisionFor?.(hostnameOf(url))
    if (decision?.block) return this.#decide({ url, kind: 'excluded', reason: 'blocked-by-operator' })
    if (decision?.pause) return this.#holdFor({ ms: operatorHoldMs, reason: 'paused-by-operator' })
    const mirrored = this.#parts.mirroredBy?.(url)
    if (mirrored) return this.#decide({ url, kind: 'excluded', reason: `mirror: of ${mirrored}` })
    const settings = this.#parts.settingsFor(hostnameOf(url))
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
    const counted = { ...settled, adds: sundries.takeWith(settled.adds) }
    const answer = await frontier.settle(this.#lease, [counted], this.#heldFor())
    if (settlements.isHeard) settlements.tell({ host: this.#lease.host, visit: counted, answer })
    if (answer === 'lease-lost') this.#loseLease()
    this.#settledAny ||= answer === 'settled' && settled.kind !== 'retry'
    return answer === 'settled'
  }

  #loseLease(): void {
    if (!this.#lost) lostLeases.tell({ host: this.#lease.host })
    this.#lost = true
  }

  async #askRobots(url: CanonicalUrl): Promise<Permission> {
    const { robots, keyOf, foreign, aborting } = this.#parts
    let touching = false
    const beforeTouch = async (hop: string) => {
      if (touching) this.#endRobots(true)
      const host = keyOf(hop as CanonicalUrl)
      if (host !== this.#lease.host) await foreign.turn(host, this.#settings.delayMs, aborting)
      touching = await this.#touch()
      return touching && { onSent: this.#sentMark(), sendBefore: this.#sendBefore }
    }
    const answer = await robots.rulesFor(originOf(url), beforeTouch)
    if (touching) {
      robotsAnswers.tell({ origin: originOf(url), answer: answer.kind })
      this.#endRobots(answer.kind === 'rules')
      if (answer.kind === 'rules' && crawlDelayMs(answer.rules, ROBOTS_TOKEN) === null)
        this.#pacer.weighLastTouch(robotsWeight)
    }
    if (answer.kind === 'rules') await this.#parts.onOrigin?.(originOf(url), answer.rules.sitemaps)
    return permission(answer, url)
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
    if (this.#pacer.lastTouchAt === null && this.#lease.pace.gapMs < this.#settings.delayMs)
      this.#pacer.holdUntil(this.#parts.clock.now() + this.#settings.delayMs)
  }

  /** Waits for the host's pace and a slot, and marks the touch. False: the session is over. */
  async #touch(): Promise<boolean> {
    const { clock, slots, alarms } = this.#parts
    while (!this.#over) {
      const waitMs = this.#pacer.nextTouchInMs(clock.now())
      if (waitMs === null) {
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
    this.#touchEnded.resolve()
    this.#touchEnded = Promise.withResolvers()
  }

  #start(request: CrawlRequest): void {
    const visit = staged('visit', request.url, () => this.#make(request))
      .catch((error) => {
        this.#parts.fail(error)
        return false
      })
      .then((wasPage) => {
        this.#parts.limit.giveBack(wasPage)
        this.#underWay.delete(visit)
      })
    this.#underWay.add(visit)
    // Nothing has to be kept while nothing is under way: thousands of hosts wait for their pace.
    if (!this.#keeping) this.#keepLease()
  }

  /** Answers whether the crawl has one more page. */
  async #make(request: CrawlRequest): Promise<boolean> {
    const visited = await this.#visit(request)
    return visited !== undefined && this.#end(visited)
  }

  async #visit(request: CrawlRequest): Promise<Visited | undefined> {
    const { visits, clock, slots } = this.#parts
    const startedAt = clock.now()
    let answered: boolean | undefined
    try {
      return await visits.visit(request, {
        sendBefore: this.#sendBefore,
        sent: this.#sentMark(),
        ended: (event) => {
          this.#endTouch()
          if (event) this.#learn(event, startedAt)
          answered = event?.kind !== 'failure'
        },
      })
    } finally {
      slots.giveBack(answered)
    }
  }

  async #end({ settled, release }: Visited): Promise<boolean> {
    const { url } = settled
    await staged('safe', url, () => this.#safe())
    const counted = await staged('settle', url, () => this.#settle(settled))
    release()
    return counted && settled.adds?.pages === 1
  }

  #safe(): Promise<void> {
    const { safe, lull } = this.#parts
    const isSafe = safe()
    lull?.look()
    return isSafe
  }

  /** What goes out later is answered when the lease may be over. Half of the margin is for names and connections. */
  get #sendBefore(): number {
    return this.#lease.expiresAt - this.#marginMs / 2
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

  async #release(): Promise<void> {
    const { lastTouchAt } = this.#pacer
    // The clock rounds down: the touch may have been up to a millisecond later.
    const touchedMsAgo = lastTouchAt === null ? null : Math.max(0, this.#parts.clock.now() - lastTouchAt - 1)
    const { slowedAt: _byMyClock, ...pace }: Pace = this.#pacer.pace
    const hold = this.#heldFor()
    await this.#parts.frontier.release(this.#lease, { touchedMsAgo, pace, ...(hold ? { hold } : {}) })
  }
}
