import type { FastifyInstance } from 'fastify'
import { type App, openApp } from '../../src/app.js'
import type { Core } from '../../src/engine/core/core.js'
import { owner, type Principal } from '../../src/engine/core/request/principal.js'
import type { ApiRequest } from '../../src/engine/core/request/request.js'
import { LIMITS } from '../../src/http/api/http-limits.js'
import { openLog } from '../../src/http/api/log.js'
import { decodePath, decodePercent, parseQueryString } from '../../src/http/api/request-target.js'
import { createServer } from '../../src/http/server.js'
import type { Json, JsonObject } from '../../src/schema/json.js'
import { type Merchant, makeMerchant } from '../../test/engine/core/merchants.js'
import { type Chance, seededChance } from '../../test/support/chance.js'
import type { CheckedRequest } from '../../test/support/contract/check.js'
import { objectOf, type TestCore } from '../../test/support/core.js'
import type { Place } from '../../test/support/databases.js'
import type { FuzzRequest, Who } from './request.js'
import { injected } from './wire.js'

/** An answer and its request, in the form in which they are checked against the OpenAPI document. */
export interface Exchange {
  readonly asked: CheckedRequest
  readonly status: number
  /** Body; omitted if the answer is a file. */
  readonly body?: JsonObject
}

export interface FuzzServiceOptions {
  readonly place: Place
  readonly seed: number
}

/** The shipped service, reached through the core or over HTTP. Its effects depend only on the seed. */
export class FuzzService {
  /** Reported errors, which cause answers with status 500 and above. */
  readonly reported: unknown[] = []
  private readonly app: App
  private readonly server: FastifyInstance
  private readonly credentials = new Map<Who, string>()
  private readonly chance: Chance
  private narrow: Principal = owner
  private merchant = ''
  private now = START

  constructor({ place, seed }: FuzzServiceOptions) {
    this.chance = seededChance(seed + 1)
    const random = seededChance(seed + 2)
    const { home, databaseUrl } = place
    this.app = openApp({
      home,
      databaseUrl,
      clock: { now: () => this.now },
      random: { bytes: (length) => Uint8Array.from({ length }, () => random.integer(0, 255)) },
      report: (error) => this.reported.push(error),
    })
    const limits = { ...LIMITS, unknownKeyRate: 0 }
    const log = openLog('error', { write: (line) => this.heard(line) })
    const clock = { now: () => this.now }
    const bytes = { bytes: (length: number) => new Uint8Array(length) }
    this.server = createServer({ app: this.app, limits, log, clock, random: bytes })
  }

  /** Creates two merchants, each with an object of every resource. `learn` is called with each answer. */
  async prepare(learn: (answer: Json) => void): Promise<void> {
    const core = await this.testCore(learn)
    const merchants: Merchant[] = [await makeMerchant(core), await makeMerchant(core)]
    const [first] = merchants
    if (first) {
      this.narrow = first.key
      this.merchant = first.processing
    }
  }

  /** Sends a request through its adapter. */
  async send(request: FuzzRequest): Promise<Exchange> {
    this.now += 250
    return request.wire === 'core' ? await this.ask(request) : await this.inject(request)
  }

  /** Sends a request to the core, by default as the operator. */
  async ask(request: Pick<FuzzRequest, 'method' | 'path'> & Partial<FuzzRequest>): Promise<Exchange> {
    const {
      method,
      query = [],
      body,
      idempotencyKey,
      dryRun = false,
      count = false,
      who = 'operator',
    } = request
    const path = decoded(request.path)
    const asked = { method, path, query, ...(body === undefined ? {} : { body }) }
    const core = await this.core()
    const more = {
      principal: this.principal(who),
      dryRun,
      count,
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    }
    const { status, body: answered } = await core.handle({ ...asked, ...more })
    return { asked, status, body: answered }
  }

  /** Runs due jobs, as `serve` does between requests. */
  async runDueJobs(): Promise<void> {
    await (await this.app.environment('test')).runDueJobs()
  }

  /** Collects failures from the log, except requests that are refused during maintenance. */
  private heard(line: string): void {
    if (!line.includes('in maintenance')) this.reported.push(line)
  }

  private async core(): Promise<Core> {
    return (await this.app.environment('test')).core
  }

  async close(): Promise<void> {
    await this.server.close()
    await this.app.close()
  }

  private async inject(request: FuzzRequest): Promise<Exchange> {
    const options = injected(this.chance, request, await this.credentialOf(request.who))
    const response = await this.server.inject(options)
    // `inject` needs no socket; it resolves the address as a browser does.
    const { pathname: path, search } = new URL(String(options.url), 'http://127.0.0.1')
    const isJson = String(response.headers['content-type']).startsWith('application/json')
    const body: JsonObject | undefined = isJson ? JSON.parse(response.body) : undefined
    // An earlier request may have revoked or deleted the key, so a new one is needed.
    if (response.statusCode === 401) this.credentials.delete(request.who)
    // Only paths of the API parse the query; other pages ignore it. A stored decline shows the requested attributes, too.
    const isKnown = isJson && (response.statusCode === 200 || body?.['error_type'] === 'TransactionDeclined')
    return {
      asked: {
        method: request.method,
        path: decoded(path),
        query: isKnown ? parseQueryString(search.slice(1), LIMITS.parameters) : [],
      },
      status: response.statusCode,
      ...(body === undefined ? {} : { body }),
    }
  }

  private principal(who: Who): Principal {
    switch (who) {
      case 'operator':
        return owner
      case 'narrowed':
        return this.narrow
      case 'plain':
        return { kind: 'key', id: 'key_plain', manage: false }
      case 'client':
      case 'nobody':
        return { ...this.narrow, kind: 'client', id: 'key_client' }
    }
  }

  private async credentialOf(who: Who): Promise<string> {
    const known = this.credentials.get(who)
    if (known !== undefined) return known
    const made = who === 'nobody' ? 'test_secret_key_nobody' : await this.makeKey(who)
    this.credentials.set(who, made)
    return made
  }

  private async makeKey(who: Exclude<Who, 'nobody'>): Promise<string> {
    const bodies: Record<typeof who, JsonObject> = {
      operator: { manage: true },
      plain: {},
      narrowed: { processing_ids: [this.merchant] },
      client: { processing_ids: [this.merchant], grants: { transactions: ['GET', 'POST'] } },
    }
    const { body } = await this.ask({ method: 'POST', path: '/admin/keys', body: bodies[who] })
    return String(body?.['secret_key'] ?? 'test_secret_key_none')
  }

  private async testCore(learn: (answer: Json) => void): Promise<TestCore> {
    const core = await this.core()
    const send: TestCore['send'] = async (method, path, body, { query, ...rest } = {}) => {
      const pairs = parseQueryString(query ?? '', LIMITS.parameters)
      const request: ApiRequest = { method, path, body, query: pairs, principal: owner, ...rest }
      const response = await core.handle(request)
      learn(response.body)
      return response
    }
    const ok: TestCore['ok'] = async (method, path, body, rest) => {
      const { status, body: answer } = await send(method, path, body, rest)
      if (status !== 200) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answer)}`)
      return objectOf(answer)
    }
    const environment = await this.app.environment('test')
    return { app: this.app, environment, place: { dialect: 'sqlite', home: '' }, send, ok }
  }
}

/** A Friday noon in New York. */
const START = Date.UTC(2026, 10, 20, 17)

/** The decoded path, as the core gets it; unchanged if it cannot be decoded. */
function decoded(path: string): string {
  return isDecodable(path) ? decodePath(path) : path
}

function isDecodable(path: string): boolean {
  try {
    decodePercent(path)
    return true
  } catch {
    return false
  }
}
