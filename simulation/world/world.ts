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

/** Morning of 1 March in New York, some days before the clocks change. */
const START = Date.UTC(2031, 2, 1, 12)

/** Expected error: the gateway may report a dispute of more than the remainder. */
const REFUSED = /The (chargeback|return|dispute_won) \S+ cannot be recorded/

export interface WorldOptions {
  readonly place: Place
  readonly seed: number
  /** Replaces the unreliable gateway, to test that faults are found. */
  readonly gateway?: (gateway: UnreliableGateway) => Gateway
  /** Called with every answer. */
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

/** A request with its sender, and the id of an object that it may have made; undefined if it made none. */
export interface Sent {
  readonly requestId: string
  readonly by: string
  readonly made: string | undefined
}

/** The people and programs that use the service, in turn. */
const PEOPLE: readonly Principal[] = [
  owner,
  { kind: 'key', id: 'key_of_the_shop', manage: true },
  { kind: 'key', id: 'key_of_the_office', manage: true },
]

/** The shipped core with controlled effects. */
export class World {
  readonly chance: Chance
  readonly clock: VirtualClock
  readonly gateway: UnreliableGateway
  readonly fate = new Fate()
  /** Every request that may change something. */
  readonly sent: Sent[] = []
  /** Number of deaths of the process. */
  crashes = 0
  /** Unexpected errors, other than crashes. */
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
      // Real time, as on a busy machine, would make two runs of a seed differ.
      stopwatch: this.clock.stopwatch,
      // Timers would, too, as for sealing; work that waits for a timer is done when the process ends.
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

  /** Resolves open outcomes and runs due jobs, as `serve` does; repeated until the process survives. */
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

/** Person of the n-th request. With a key it is always the same one: keys of idempotency are each person's own. */
function personOf(key: string | undefined, n: number): Principal {
  const number = key === undefined ? n : [...key].reduce((sum, letter) => sum + letter.charCodeAt(0), 0)
  return PEOPLE[number % PEOPLE.length] ?? owner
}

/** The id of an object that a request to a collection has made, unless the answer is a repeated one. */
function madeBy(
  { method, path }: Pick<Request, 'method' | 'path'>,
  { status, body, headers }: ApiResponse,
): string | undefined {
  const isNew = method === 'POST' && status === 200 && headers['Idempotent-Replay'] === undefined
  return isNew && /^\/\w+$/.test(path) && typeof body.id === 'string' ? body.id : undefined
}

/** Line of the report about a request: its name, and the status of its answer. */
export function said(what: string, response: { readonly status: number } | undefined): string {
  return `${what}: ${response?.status ?? 'the process died'}`
}
