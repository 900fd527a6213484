import { openApp } from '../../src/app.js'
import { owner } from '../../src/engine/core/request/principal.js'
import type { Json, JsonObject } from '../../src/schema/json.js'
import type { Method } from '../../src/schema/resource.js'
import type { Chance } from '../../test/support/chance.js'
import { idOf, objectOf } from '../../test/support/core.js'
import type { Place } from '../../test/support/databases.js'
import { type Server, startServer } from '../../test/support/server-process.js'

export interface FleetAnswer {
  readonly status: number
  readonly body: JsonObject
}

/** Flags of `serve`. A short timeout soon frees the deliveries that a killed server had claimed. */
const FLAGS = ['--webhook-timeout', '2']

/** Number of slowest answers in the report. */
const SLOWEST = 10

/** Several `payctl serve` processes on one database. Each request goes to a random one. */
export class Fleet {
  private readonly servers: Server[] = []
  private secretKey = ''
  private asked = 0
  /** Durations of answers in milliseconds, the slowest first. */
  readonly slowest: { readonly what: string; readonly milliseconds: number }[] = []
  /** Answers that say that the client should retry later. */
  readonly busy: string[] = []
  /** Answers that should not occur. */
  readonly problems: string[] = []

  constructor(
    private readonly place: Place,
    private readonly chance: Chance,
    private readonly now: () => number,
  ) {}

  /** Creates a key and starts the servers. */
  async start(serves: number): Promise<void> {
    const app = openApp(this.place)
    try {
      const body = { manage: true }
      const { core } = await app.environment('test')
      const made = await core.handle({ method: 'POST', path: '/admin/keys', body, principal: owner })
      this.secretKey = String(made.body.secret_key)
    } finally {
      await app.close()
    }
    for (let count = 0; count < serves; count++) this.servers.push(await startServer(this.place, FLAGS))
  }

  get size(): number {
    return this.servers.length
  }

  /**
   * Sends a request to a random server. If that server is killed or busy, repeats the request with the same idempotency
   * key.
   */
  async ask(method: Method, path: string, body?: Json): Promise<FleetAnswer> {
    const key = `race-${++this.asked}`
    for (;;) {
      const server = this.chance.pick(this.servers.filter(({ isKilled }) => !isKilled))
      if (!server) throw new Error('No server is left')
      const begun = this.now()
      const answer = await this.send(server, { method, path, body, key })
      if (!answer) continue
      this.note(`${answer.status} ${method} ${path}`, this.now() - begun)
      if (answer.status === 503) this.busy.push(`${method} ${path}: ${answer.body.error_description}`)
      else {
        if (answer.status >= 500) this.problems.push(`${method} ${path}: ${JSON.stringify(answer.body)}`)
        return answer
      }
    }
  }

  /** Sends a request that must succeed; returns the body. */
  async ok(method: Method, path: string, body?: Json): Promise<JsonObject> {
    const answer = await this.ask(method, path, body)
    if (answer.status !== 200)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }

  /** Creates an object; returns its id. */
  async make(path: string, body: JsonObject): Promise<string> {
    return idOf(await this.ok('POST', path, body))
  }

  /** Kills a server while `goesOn` runs, then starts another in its place. */
  async killDuring(index: number, goesOn: () => Promise<unknown>): Promise<void> {
    const going = goesOn()
    await Promise.race([going, new Promise((resolve) => setTimeout(resolve, this.chance.integer(1, 150)))])
    const killed = this.servers[index]
    killed?.kill()
    await going
    this.servers[index] = await startServer(this.place, FLAGS)
    await killed?.ended
  }

  private note(what: string, milliseconds: number): void {
    this.slowest.push({ what, milliseconds })
    this.slowest.sort((one, other) => other.milliseconds - one.milliseconds).splice(SLOWEST)
  }

  async stop(): Promise<void> {
    for (const server of this.servers) {
      if (server.isKilled) continue
      const code = await server.stop()
      if (code !== 0) this.problems.push(`A server ended with ${code}`)
    }
  }

  private async send(
    server: Server,
    { method, path, body, key }: { method: Method; path: string; body: Json | undefined; key: string },
  ): Promise<FleetAnswer | undefined> {
    try {
      const response = await fetch(server.address + path, {
        method,
        headers: {
          authorization: `Bearer ${this.secretKey}`,
          ...(method !== 'GET' && { 'idempotency-key': key }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        body: body === undefined ? null : JSON.stringify(body),
      })
      if (response.status === 503 && !response.headers.has('retry-after'))
        this.problems.push(`${method} ${path}: 503 without Retry-After`)
      return { status: response.status, body: objectOf(JSON.parse(await response.text())) }
    } catch (error) {
      if (server.isKilled) return undefined
      throw error
    }
  }
}
