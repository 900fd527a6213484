import type { FastifyInstance } from 'fastify'
import type { Holders } from './api/handler.js'
import { type Logger, redact } from './api/wire/log.js'
import { splitTarget } from './api/wire/target.js'

/** Logs every request when it is done: what was asked, by whom, how it ended; no values, no bodies, no keys. */
export function logRequests(server: FastifyInstance, log: Logger, holders: Holders): void {
  server.addHook('onResponse', (request, reply, done) => {
    const { path } = splitTarget(request.raw.url ?? '/')
    const line = {
      request: request.id,
      method: request.method,
      path: redact(path),
      status: reply.statusCode,
      milliseconds: Math.round(reply.elapsedTime * 10) / 10,
      key: holders.get(request),
    }
    if (path === '/healthz') log.debug(line, 'request')
    else log.info(line, 'request')
    done()
  })
}
