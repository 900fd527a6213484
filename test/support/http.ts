import { type App, type AppOptions, openApp } from '../../src/app.js'
import { owner } from '../../src/engine/core/request/principal.js'
import type { Environment } from '../../src/engine/store/database/store.js'
import { openLog } from '../../src/http/api/log.js'
import { type ServeOptions, type Serving, serve } from '../../src/http/server.js'
import type { Outgoing } from '../../src/platform/network/outgoing.js'
import type { JsonObject } from '../../src/schema/json.js'
import { checkedApp } from './contract/checked-app.js'
import type { Place } from './databases.js'

/** The whole service over HTTP. */
export interface HttpService extends Serving {
  readonly app: App
  /** Makes a secret key as the operator; returns it. */
  key(attributes?: JsonObject, environment?: Environment): Promise<string>
  /** Sends one request with a key, JSON in and out. */
  ask(key: string, method: string, path: string, body?: JsonObject): Promise<HttpAnswer>
}

export interface HttpAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: JsonObject
}

/** An outgoing client that sends no request, because webhooks of tests must not leave this machine. */
export const nowhere: Outgoing = {
  post: async () => ({ status: 0, problem: 'Tests deliver nothing', body: '' }),
  close: async () => undefined,
}

/** Serves a database on a free port of this machine. `stop` rejects if there were unexpected errors. */
export async function httpService(
  place: Place,
  options: Partial<AppOptions> = {},
  serving: Partial<
    Pick<
      ServeOptions,
      'limits' | 'signUp' | 'logger' | 'trustProxy' | 'console' | 'behindTls' | 'fieldsUrl' | 'jobs'
    >
  > = {},
): Promise<HttpService> {
  const reported: unknown[] = []
  const { home, databaseUrl } = place
  const app = checkedApp(
    openApp({
      home,
      databaseUrl,
      report: (error) => reported.push(error),
      delivery: { http: nowhere },
      ...options,
    }),
  )
  const { address, stop } = await serve({
    app,
    host: '127.0.0.1',
    port: 0,
    logger: openLog('silent'),
    // Background jobs change what a test examines at a time that it does not choose, so a test names those it wants.
    jobs: [],
    ...serving,
  })
  return {
    app,
    address,
    async stop() {
      await stop()
      const [first] = reported
      if (first !== undefined)
        throw new Error(`${reported.length} unexpected errors were reported`, { cause: first })
    },
    async key(attributes = {}, environment = 'test') {
      const { core } = await app.environment(environment)
      const made = await core.handle({
        method: 'POST',
        path: '/admin/keys',
        body: attributes,
        principal: owner,
      })
      if (typeof made.body.secret_key !== 'string') throw new Error(`No key: ${JSON.stringify(made.body)}`)
      return made.body.secret_key
    },
    async ask(key, method, path, body) {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      const response = await fetch(address + path, { method, headers, body: body && JSON.stringify(body) })
      const answer: JsonObject = JSON.parse(await response.text())
      return { status: response.status, headers: response.headers, body: answer }
    },
  }
}
