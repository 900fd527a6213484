import type { IncomingMessage } from 'node:http'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import type { App } from '../app.js'
import { type Clock, systemClock } from '../platform/clock.js'
import { type Random, systemRandom } from '../platform/random.js'
import { systemTimers, type Timers } from '../platform/timers.js'
import { METHODS, methodNotAllowed } from './api/api-request.js'
import { collect } from './api/body/collect.js'
import { isMultipart } from './api/body/multipart.js'
import { type Holders, handler } from './api/handler.js'
import { ratesOf } from './api/rates/rates.js'
import { send, sendError } from './api/wire/answer.js'
import { apiErrorOf, listenError } from './api/wire/errors.js'
import { LIMITS, type Limits } from './api/wire/limits.js'
import { type Logger, openLog } from './api/wire/log.js'
import { CHORES, type Chore } from './chores.js'
import { doChores } from './do-chores.js'
import { serveFiles } from './files.js'
import { serveOauth } from './oauth/oauth.js'
import { type Pages, servePages } from './pages/pages.js'
import { serveHosted } from './pages/payment/hosted.js'
import { answerProtocolErrors, httpOptions } from './protocol.js'
import { requestIds } from './request-ids.js'
import { logRequests } from './request-log.js'
import { stopper } from './stop.js'

export interface ServeOptions {
  /** Closed by `stop`. */
  readonly app: App
  readonly host: string
  /** 0 takes a free one. */
  readonly port: number
  /** Warnings and errors on stderr unless given. */
  readonly logger?: Logger
  readonly limits?: Partial<Limits>
  /** Nothing beside the interface unless given. */
  readonly pages?: Pages
  /** Proxies that are believed about whom they ask for: `loopback`, or addresses and networks with commas. */
  readonly trustProxy?: string
  /** Where request ids come from. */
  readonly random?: Random
  /** What rates are counted by. */
  readonly clock?: Clock
  /** What is done besides; all there is unless given. */
  readonly chores?: readonly Chore[]
  readonly timers?: Timers
}

/** Whether the process answers at all: anybody may ask, as often as they like. */
const HEALTH = '/healthz'

/** What the log says of a request that was answered with a status from 500. */
export const FAILED = 'a request could not be answered'

export interface Serving {
  /** `http://host:port`, with the port that was taken. */
  readonly address: string
  /** Accepts no more, finishes what has begun (at most `stopMilliseconds`), then closes the app. */
  stop(): Promise<void>
}

/**
 * Serves the interface over HTTP. Both environments are opened and reconciled first, so that what is wrong
 * with a database is told at the start. Throws a `ListenError` when the address cannot be had; the app is closed then.
 */
export async function serve(options: ServeOptions): Promise<Serving> {
  const { app, host, port, random = systemRandom, clock = systemClock, trustProxy, pages } = options
  const limits = { ...LIMITS, ...options.limits }
  const log = options.logger ?? openLog()
  const server = serverOf({ app, limits, log, random, clock, trustProxy, pages })
  const stop = stopper(server, app, limits.stopMilliseconds, log)
  try {
    await app.reconcile('test')
    await app.reconcile('live')
    const address = await listen(server, host, port)
    app.servedAt(address)
    const { chores = CHORES, timers = systemTimers } = options
    const endChores = doChores({ app, chores, timers, log })
    return { address, stop: () => stop(endChores) }
  } catch (error) {
    await stop()
    throw error
  }
}

async function listen(server: FastifyInstance, host: string, port: number): Promise<string> {
  try {
    return await server.listen({ host, port })
  } catch (error) {
    throw listenError(error, host, port)
  }
}

/** What a server is made of. */
interface Parts {
  readonly app: App
  readonly limits: Limits
  readonly log: Logger
  readonly random: Random
  readonly clock: Clock
  readonly trustProxy?: string | undefined
  readonly pages?: Pages | undefined
}

/** The server without a socket, which tests can `inject` requests into. */
export function serverOf({ app, limits, log, random, clock, trustProxy, pages }: Parts): FastifyInstance {
  const server = Fastify({
    ...httpOptions(limits),
    trustProxy: trustProxy ?? false,
    genReqId: requestIds(random),
    clientErrorHandler: answerProtocolErrors(limits, log),
    frameworkErrors: (error, _request, reply) => {
      sendError(reply, apiErrorOf(error))
    },
  })
  const holders: Holders = new WeakMap()
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', ({ headers }: FastifyRequest, payload: IncomingMessage) =>
    collect(payload, isMultipart(headers['content-type']) ? limits.multipartBytes : limits.bodyBytes),
  )
  server.setErrorHandler((error, request, reply) => {
    const refusal = apiErrorOf(error)
    // A refusal on purpose, as in maintenance, is no trouble of this server.
    if (refusal.status >= 500 && refusal !== error) log.error({ request: request.id, err: error }, FAILED)
    return sendError(reply, refusal)
  })
  const rates = ratesOf(limits, clock)
  server.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.url !== HEALTH) rates.admitAddress(request, reply)
    done()
  })
  server.setNotFoundHandler((request, reply) => sendError(reply, methodNotAllowed(request.method)))
  server.get(HEALTH, (_request, reply) => send(reply, 200, { status: 'ok' }))
  serveFiles(server, app)
  serveHosted(server, { app, clock, random, log, failed: FAILED })
  serveOauth(server, { app, limits, rates, random, clock })
  if (pages) servePages(server, pages)
  server.route({ method: [...METHODS], url: '*', handler: handler({ app, limits, rates, holders }) })
  if (log.isLevelEnabled('info')) logRequests(server, log, holders)
  return server
}
