import { type App, openApp } from '../../src/app.js'
import type { Core } from '../../src/engine/core/core.js'
import { owner, type Principal } from '../../src/engine/core/request/principal.js'
import type { ApiResponse, QueryPair } from '../../src/engine/core/request/request.js'
import type { Gateway } from '../../src/gateways/contract.js'
import type { JsonObject } from '../../src/schema/json.js'
import type { Method } from '../../src/schema/resource.js'
import { type Chance, seededChance } from '../../test/support/chance.js'
import type { Place } from '../../test/support/databases.js'
import { Fate, ProcessGone, seededRandom, type VirtualClock, virtualClock } from './fate.js'
import { type UnreliableGateway, unreliableGateway } from './unreliable-gateway.js'

/** Morning of 1 March 2031 in New York, eight days before daylight saving time begins. */
const START = Date.UTC(2031, 2, 1, 12)

/** Expected errors: the gateway may report a dispute of more than remains of the payment. */
const REFUSED = /The (chargeback|return|dispute_won) \S+ cannot be recorded/

export interface WorldOptions {
  readonly place: Place
  readonly seed: number
  /** Wraps the unreliable gateway; tests use it to prove that faults are found. */
  readonly gateway?: (gateway: UnreliableGateway) => Gateway
  /** Called with every request and its answer. */
  readonly hear?: (request: Request, response: ApiResponse) => void
}

export interface Request {
  readonly method: Method
  readonly path: string
  readonly body?: JsonObject
  readonly query?: readonly QueryPair[]
  readonly key?: string
  readonly dryRun?: boolean
}

/** A request, its sender (`by`), and the id of the object that it created (`made`); undefined if it created none. */
export interface Sent {
  readonly requestId: string
  readonly by: string
  readonly made: string | undefined
}

/** Senders of requests: an operator and two programs with keys. */
const PEOPLE: readonly Principal[] = [
  owner,
  { kind: 'key', id: 'key_of_the_shop', manage: true },
  { kind: 'key', id: 'key_of_the_office', manage: true },
]

/** The shipped core with controlled clock, randomness and gateway, so that a seed repeats a run. */
export class World {
  readonly chance: Chance
  readonly clock: VirtualClock
  readonly gateway: UnreliableGateway
  readonly fate = new Fate()
  /** All requests that may change data. */
  readonly sent: Sent[] = []
  /** Number of simulated crashes. */
  crashes = 0
  /** Errors that were reported unexpectedly; crashes are not included. */
  readonly troubles: string[] = []
  private app: App | undefined
  private readonly hear: WorldOptions['hear']
  private readonly effects: Parameters<typeof openApp>[0]

  constructor({ place, seed, gateway = (same) => same, hear }: WorldOptions) {
    this.hear = hear
    this.chance = seededChance(seed)
    this.clock = virtualClock(this.fate, START)
    this.gateway = unreliableGateway(this.fate, seededChance(seed + 1))
    this.effects = {
      home: place.home,
      databaseUrl: place.databaseUrl,
      clock: this.clock,
      // A virtual stopwatch: with real time, two runs of a seed would differ on a busy machine.
      stopwatch: this.clock.stopwatch,
      // Timers never fire, for the same reason. Work that waits for a timer, such as sealing, is done when the process
      // ends.
      timers: { after: () => () => undefined },
      random: seededRandom(this.fate, seededChance(seed + 2)),
      gateway: gateway(this.gateway),
      report: (error) => {
        const told = error instanceof Error ? (error.stack ?? '') : String(error)
        if (!this.fate.isGone && !REFUSED.test(told)) this.troubles.push(told)
      },
    }
  }

  /** Sends a request; returns undefined if the process died before the answer. */
  async send({ method, path, body, query, key, dryRun = false }: Request): Promise<ApiResponse | undefined> {
    const core = await this.core()
    const idempotency = key === undefined ? {} : { idempotencyKey: key }
    const requestId = `req_${this.sent.length}`
    const principal = personOf(key, this.sent.length)
    const response = await core.handle({
      method,
      path,
      body,
      query,
      principal,
      requestId,
      dryRun,
      ...idempotency,
    })
    if (method !== 'GET') {
      const made = this.fate.isGone || dryRun ? undefined : madeBy({ method, path }, response)
      this.sent.push({ requestId, by: principal.id, made })
    }
    if (!this.fate.isGone) {
      this.hear?.({ method, path }, response)
      return response
    }
    await this.restart()
    return undefined
  }

  /** Reconciles with the gateway and runs due jobs, as `serve` does. Repeats this until the process survives. */
  async settle(): Promise<void> {
    for (;;) {
      try {
        this.app ??= openApp(this.effects)
        await (await this.app.environment('test')).reconcile(0)
        await (await this.app.environment('test')).runDueJobs()
      } catch (error) {
        if (!(error instanceof ProcessGone)) throw error
      }
      if (!this.fate.isGone) return
      await this.restart()
    }
  }

  async restart(): Promise<void> {
    this.crashes++
    this.fate.spare()
    await this.close()
  }

  async close(): Promise<void> {
    const { app } = this
    this.app = undefined
    await app?.close()
  }

  private async core(): Promise<Core> {
    this.app ??= openApp(this.effects)
    return (await this.app.environment('test')).core
  }
}

/**
 * Sender of the n-th request. Requests with the same idempotency key have the same sender, because each sender has
 * separate keys.
 */
function personOf(key: string | undefined, n: number): Principal {
  const number = key === undefined ? n : [...key].reduce((sum, letter) => sum + letter.charCodeAt(0), 0)
  return PEOPLE[number % PEOPLE.length] ?? owner
}

/** Id of the object that a POST to a collection created; undefined for other requests and for replayed answers. */
function madeBy(
  { method, path }: Pick<Request, 'method' | 'path'>,
  { status, body, headers }: ApiResponse,
): string | undefined {
  const isNew = method === 'POST' && status === 200 && headers['Idempotent-Replay'] === undefined
  return isNew && /^\/\w+$/.test(path) && typeof body.id === 'string' ? body.id : undefined
}

/** Line of the report about a request: its name, and the status of the answer. */
export function said(what: string, response: { readonly status: number } | undefined): string {
  return `${what}: ${response?.status ?? 'the process died'}`
}
