import type { FastifyInstance, InjectOptions } from 'fastify'
import { LIMITS, type Limits } from '../../src/http/api/http-limits.js'
import { type Logger, openLog } from '../../src/http/api/log.js'
import { createServer } from '../../src/http/server.js'
import { type Clock, systemClock } from '../../src/platform/clock.js'
import { systemRandom } from '../../src/platform/random.js'
import type { JsonObject } from '../../src/schema/json.js'
import { check } from '../support/contract/violations.js'
import { BASIC, type EchoApp, echoApp } from './echo-app.js'

/**
 * A server without a socket, the requests to its core, and a function that sends requests with a valid key.
 */
export function injectable(
  limits: Partial<Limits> = {},
  app: EchoApp = echoApp(),
  log: Logger = openLog('silent'),
  { clock = systemClock, trustProxy }: { clock?: Clock; trustProxy?: string } = {},
) {
  const server: FastifyInstance = createServer({
    app,
    limits: { ...LIMITS, ...limits },
    log,
    random: systemRandom,
    clock,
    trustProxy,
  })
  return {
    app,
    server,
    ask: async (options: InjectOptions) => {
      const response = await server.inject({
        ...options,
        headers: { authorization: BASIC, ...options.headers },
      })
      const status = response.statusCode
      const body = response.json<JsonObject>()
      // A successful answer is the echo, which no document describes; refusals are as usual.
      if (status !== 200)
        check(
          { method: options.method ?? 'GET', path: String(options.url).split('?', 1)[0] ?? '' },
          { status, body },
        )
      return { status, headers: response.headers, body }
    },
    last: () => app.requests.at(-1),
  }
}
