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
 * Creates a server without a socket, over the echo app. `ask` sends a request with a valid key, and `last` is
 * the last request that reached the core.
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
      // Only refusals are checked, because the echo's successful answers are not in the OpenAPI document.
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
