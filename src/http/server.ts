import type { IncomingMessage } from 'node:http'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import type { App } from '../app.js'
import { type Clock, systemClock, systemTimers, type Timers } from '../platform/clock.js'
import { type Random, systemRandom } from '../platform/random.js'
import { METHODS } from '../schema/resource.js'
import { apiErrorOf, send, sendError } from './api/answer.js'
import { collectBody } from './api/body.js'
import { handler, unknownMethod } from './api/handler.js'
import { LIMITS, type Limits } from './api/limits.js'
import { type Logger, logRequests, openLog } from './api/log.js'
import { isMultipart } from './api/multipart.js'
import { rateLimits } from './api/rate-limits.js'
import { BACKGROUND_JOBS, type BackgroundJob, runBackgroundJobs } from './background-jobs.js'
import { limitConnections } from './connections.js'
import { gracefulStop } from './graceful-stop.js'
import { serveOauth } from './oauth/oauth.js'
import { serveAttachedFiles } from './pages/attached-files.js'
import { type Docs, serveDocs } from './pages/docs-page.js'
import { servePayerPages } from './pages/payment/payer-pages.js'
import { answerProtocolErrors, httpOptions, listenError, refuseRepeatedHeaders } from './protocol.js'

export interface ServeOptions {
  /** Closed by `stop`. */
  readonly app: App
  readonly host: string
  /** 0 takes a free one. */
  readonly port: number
  /** Warnings and errors on stderr unless given. */
  readonly logger?: Logger
  readonly limits?: Partial<Limits>
  /** No documentation is served unless given. */
  readonly docs?: Docs
  /** Proxies whose word is taken for the address of a client: `loopback`, or addresses and networks with commas. */
  readonly trustProxy?: string
  /** Whether somebody new may sign up on the page of OAuth; so unless told. */
  readonly signUp?: boolean
  /** Makes request ids. */
  readonly random?: Random
  /** Rates are counted by it. */
  readonly clock?: Clock
  /** All of them unless given. */
  readonly jobs?: readonly BackgroundJob[]
  readonly timers?: Timers
}

/** Whether the process answers at all: open to everybody, without a limit of rates. */
const HEALTH = '/healthz'

const REQUEST_ID_BYTES = 9

/** What the log says of a request that was answered with a status from 500. */
export const REQUEST_FAILED = 'a request could not be answered'

/** What the log says once of `X-Forwarded-For` from whoever is no trusted proxy. */
export const UNTRUSTED_PROXY =
  'X-Forwarded-For came from an address that --trust-proxy does not name, and is ignored'

export interface Serving {
  /** `http://host:port`, with the port that was taken. */
  readonly address: string
  /** Accepts no more, finishes what has begun (at most `stopMilliseconds`), then closes the app. */
  stop(): Promise<void>
}

/**
 * Serves the interface over HTTP. Both environments are opened and reconciled first, so that problems of a database
 * are reported at the start. Throws a `ListenError` when the address cannot be had; the app is closed then.
 */
export async function serve(options: ServeOptions): Promise<Serving> {
  const { app, host, port, random = systemRandom, clock = systemClock, trustProxy, docs, signUp } = options
  const limits = { ...LIMITS, ...options.limits }
  const log = options.logger ?? openLog()
  const server = createServer({ app, limits, log, random, clock, trustProxy, docs, signUp })
  const stop = gracefulStop(server, app, limits.stopMilliseconds, log)
  try {
    await app.reconcile('test')
    await app.reconcile('live')
    const address = await listen(server, host, port)
    app.servedAt(address)
    const { jobs = BACKGROUND_JOBS, timers = systemTimers } = options
    const endJobs = runBackgroundJobs({ app, jobs, timers, log })
    return { address, stop: () => stop(endJobs) }
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

interface ServerDependencies {
  readonly app: App
  readonly limits: Limits
  readonly log: Logger
  readonly random: Random
  readonly clock: Clock
  readonly trustProxy?: string | undefined
  readonly docs?: Docs | undefined
  readonly signUp?: boolean | undefined
}

/** The server without a socket, which tests can `inject` requests into. */
export function createServer(dependencies: ServerDependencies): FastifyInstance {
  const { app, limits, log, random, clock, trustProxy, docs, signUp = true } = dependencies
  const server = Fastify({
    ...httpOptions(limits),
    trustProxy: trustProxy ?? false,
    genReqId: requestIds(random),
    clientErrorHandler: answerProtocolErrors(limits, log),
    frameworkErrors: (error, _request, reply) => {
      sendError(reply, apiErrorOf(error))
    },
  })
  limitConnections(server.server, limits.connections)
  server.decorateRequest('principalId')
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', ({ headers }: FastifyRequest, payload: IncomingMessage) =>
    collectBody(payload, isMultipart(headers['content-type']) ? limits.multipartBytes : limits.bodyBytes),
  )
  server.setErrorHandler((error, request, reply) => {
    const refusal = apiErrorOf(error)
    // A refusal on purpose, as in maintenance, is no problem of this server.
    if (refusal.status >= 500 && refusal !== error)
      log.error({ request: request.id, err: error }, REQUEST_FAILED)
    return sendError(reply, refusal)
  })
  const rates = rateLimits(limits, clock)
  const warnOfProxy = untrustedProxyWarning(log)
  server.addHook('onRequest', (request, reply, done) => {
    warnOfProxy(request)
    if (request.routeOptions.url !== HEALTH) rates.admitAddress(request, reply)
    refuseRepeatedHeaders(request.raw)
    done()
  })
  server.setNotFoundHandler((request, reply) => sendError(reply, unknownMethod(request.method)))
  server.get(HEALTH, (_request, reply) => send(reply, 200, { status: 'ok' }))
  serveAttachedFiles(server, app)
  servePayerPages(server, { app, clock, random, log, failed: REQUEST_FAILED })
  serveOauth(server, { app, limits, rates, random, clock, signUp })
  if (docs) serveDocs(server, docs)
  server.route({ method: [...METHODS], url: '*', handler: handler({ app, limits, rates }) })
  if (log.isLevelEnabled('info')) logRequests(server, log)
  return server
}

/**
 * Warns once of a proxy that is not named as trusted: all its clients count as one address then, and whoever is not
 * behind it may write the header.
 */
function untrustedProxyWarning(log: Logger): (request: FastifyRequest) => void {
  let isWarned = false
  return ({ headers, ip, socket }) => {
    if (isWarned || headers['x-forwarded-for'] === undefined || ip !== socket.remoteAddress) return
    isWarned = true
    log.warn({ peer: ip }, UNTRUSTED_PROXY)
  }
}

/** Some random bytes for the process and a count, so that two processes never give the same id. */
function requestIds(random: Random): () => string {
  const process = Buffer.from(random.bytes(REQUEST_ID_BYTES)).toString('base64url')
  let count = 0
  return () => `req_${process}_${(++count).toString(36)}`
}
