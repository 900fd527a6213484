import type { IncomingMessage } from 'node:http'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import type { App } from '../app.js'
import { BACKGROUND_JOBS, type BackgroundJob, NOTIFICATIONS } from '../domain/background-jobs.js'
import { type Clock, systemClock, systemTimers, type Timers } from '../platform/clock.js'
import { isLoopbackAddress } from '../platform/network/reach.js'
import { type Random, systemRandom } from '../platform/random.js'
import { METHODS } from '../schema/resource.js'
import { allowPages, servePreflights } from './api/cross-origin.js'
import { serveGatewayNotifications } from './api/gateway-notifications.js'
import { handler } from './api/handler.js'
import { LIMITS, type Limits } from './api/http-limits.js'
import { type Logger, logRequests, openLog } from './api/log.js'
import { isMultipart } from './api/multipart.js'
import { isBehindUntrustedProxy, rateLimits } from './api/rate-limits.js'
import { BodyRoom, collectBody } from './api/request-body.js'
import { apiErrorOf, send, sendError, unknownMethod } from './api/send-answer.js'
import { serveComponents } from './components/serve-components.js'
import { serveHostedPages } from './components/serve-hosted-pages.js'
import { limitConnections } from './connections.js'
import { consoleGate } from './console/access/console-gate.js'
import type { ConsoleGate } from './console/gate.js'
import { serveConsole } from './console/serving/serve-console.js'
import { gracefulStop } from './graceful-stop.js'
import { withoutLive } from './live-over-tls.js'
import { type ProcessMetrics, processMetrics } from './metrics/process-metrics.js'
import { serveMetrics } from './metrics/serve-metrics.js'
import { serveOauth } from './oauth/serve-oauth.js'
import { serveAttachedFiles } from './pages/attached-files.js'
import { type Docs, serveDocs } from './pages/docs-page.js'
import { serveHome } from './pages/home.js'
import { missingForBrowsers } from './payer/missing-for-browsers.js'
import { servePayerPages } from './payer/payer-pages.js'
import {
  answerProtocolErrors,
  httpOptions,
  ListenError,
  listenError,
  refuseRepeatedHeaders,
} from './protocol.js'
import { runBackgroundJobs } from './run-background-jobs.js'

export interface ServeOptions {
  /** Closed by `stop`. */
  readonly app: App
  readonly host: string
  /** 0 means any free port. */
  readonly port: number
  /** Logger of the server; by default, warnings and errors go to stderr. */
  readonly logger?: Logger
  readonly limits?: Partial<Limits>
  /** Documentation is served only if given. */
  readonly docs?: Docs
  /** Proxies that are trusted to name a client's address: `loopback`, or addresses and networks separated by commas. */
  readonly trustProxy?: string
  /** Whether new users may sign up on the OAuth page; true by default. */
  readonly signUp?: boolean
  /**
   * Whether a proxy in front speaks TLS. Otherwise requests to the live environment are refused unless the server
   * listens on an address of this machine only.
   */
  readonly behindTls?: boolean
  /** Address of secure fields in pages of shops, if they have an origin of their own (`PAYCTL_FIELDS_URL`). */
  readonly fieldsUrl?: string
  /**
   * Whether the console of operators is served; false by default. Without TLS, only this machine can use the console.
   */
  readonly console?: boolean
  /** Makes request ids. */
  readonly random?: Random
  /** Clock of rate limits. */
  readonly clock?: Clock
  /** Background jobs; by default all of them. */
  readonly jobs?: readonly BackgroundJob[]
  readonly timers?: Timers
}

/** Route for checks that the process is alive: it needs no key, and has no rate limit. */
const HEALTH = '/healthz'

const REQUEST_ID_BYTES = 9

/** Logged for a request that failed unexpectedly. */
export const REQUEST_FAILED = 'a request could not be answered'

/** Logged once when `X-Forwarded-For` comes from an address that is not a trusted proxy. */
export const UNTRUSTED_PROXY =
  'X-Forwarded-For came from an address that --trust-proxy does not name, and is ignored'

const CONSOLE_IN_THE_CLEAR =
  'The console is served beyond this machine behind TLS only: put a proxy that speaks TLS in front, and serve --behind-tls-proxy.'

export interface Serving {
  /** `http://host:port`, with the port that was taken. */
  readonly address: string
  /** Accepts no more requests, finishes those that have begun (within `stopMilliseconds`), then closes the app. */
  stop(): Promise<void>
}

/**
 * Serves the API over HTTP. Both environments are opened first, so that problems of a database are reported at the
 * start; gateways are not contacted for the start. Closes the app and throws a `ListenError` when it cannot listen on
 * the address.
 */
export async function serve(options: ServeOptions): Promise<Serving> {
  const { app, host, port, random = systemRandom, clock = systemClock, trustProxy, docs, signUp } = options
  const limits = { ...LIMITS, ...options.limits }
  const log = options.logger ?? openLog()
  const metrics = processMetrics(app.model, clock)
  let wake: (job: string) => void = () => undefined
  const stored = () => wake(NOTIFICATIONS)
  const isPrivate = options.behindTls || host === 'localhost' || isLoopbackAddress(host)
  const refusesLive = !isPrivate
  if (options.console && !isPrivate) {
    await app.close()
    throw new ListenError(CONSOLE_IN_THE_CLEAR)
  }
  const behindTls = options.behindTls ?? false
  const server = createServer({
    app,
    refusesLive,
    limits,
    log,
    random,
    clock,
    trustProxy,
    docs,
    signUp,
    stored,
    metrics,
    fieldsUrl: options.fieldsUrl,
    console: options.console ? { behindTls } : undefined,
  })
  const stop = gracefulStop(server, app, limits.stopMilliseconds, log)
  try {
    for (const environment of ['test', 'live'] as const)
      await (await app.environment(environment)).expectWritable()
    const address = await listen(server, host, port)
    app.servedAt(address)
    const { jobs = BACKGROUND_JOBS, timers = systemTimers } = options
    const running = runBackgroundJobs({ app, jobs, timers, log, ran: metrics.ran })
    wake = running.wake
    return { address, stop: () => stop(running.end) }
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
  /** Whether every request to the live environment is refused; false by default. */
  readonly refusesLive?: boolean
  readonly limits: Limits
  readonly log: Logger
  readonly random: Random
  readonly clock: Clock
  readonly trustProxy?: string | undefined
  readonly docs?: Docs | undefined
  readonly signUp?: boolean | undefined
  /** Address of secure fields if they have an origin of their own. */
  readonly fieldsUrl?: string | undefined
  /** Serves the console if given; `behindTls`: whether a proxy in front speaks TLS. */
  readonly console?: { readonly behindTls: boolean } | undefined
  /** Decides who may see the console, in place of the sign-in of operators. */
  readonly gate?: ConsoleGate | undefined
  /** Metrics of the process, which are served if given. */
  readonly metrics?: ProcessMetrics
  /** Called when a notification of a gateway was stored. */
  readonly stored?: () => void
}

/** The server without a socket, which tests can `inject` requests into. */
export function createServer(dependencies: ServerDependencies): FastifyInstance {
  const { app: whole, limits, log, random, clock, trustProxy, docs } = dependencies
  const { refusesLive = false, signUp = true, stored = () => undefined } = dependencies
  const app = refusesLive ? withoutLive(whole) : whole
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
  const room = new BodyRoom(limits.bodiesBytes)
  server.addContentTypeParser('*', ({ headers }: FastifyRequest, payload: IncomingMessage) =>
    collectBody(
      payload,
      isMultipart(headers['content-type']) ? limits.multipartBytes : limits.bodyBytes,
      room,
      limits.multipartBytes,
    ),
  )
  server.setErrorHandler((error, request, reply) => {
    const refusal = apiErrorOf(error)
    // A deliberate refusal, as in maintenance, is not a problem of this server.
    if (refusal.status >= 500 && refusal !== error)
      log.error({ request: request.id, err: error }, REQUEST_FAILED)
    return sendError(reply, refusal)
  })
  const rates = rateLimits(limits, clock)
  if (dependencies.metrics) {
    dependencies.metrics.measure(server)
    serveMetrics(server, { app, rates, metrics: dependencies.metrics })
  }
  const warnOfProxy = untrustedProxyWarning(log)
  server.addHook('onRequest', (request, reply, done) => {
    warnOfProxy(request)
    allowPages(request, reply)
    if (request.routeOptions.url !== HEALTH) rates.admitAddress(request, reply)
    refuseRepeatedHeaders(request.raw)
    // No route accepts the method QUERY; the error of Fastify would be about a missing content type.
    if (request.method === 'QUERY') throw unknownMethod(request.method)
    done()
  })
  server.setNotFoundHandler((request, reply) => sendError(reply, unknownMethod(request.method)))
  server.get(HEALTH, (_request, reply) => send(reply, 200, { status: 'ok' }))
  serveHome(server, docs !== undefined)
  serveAttachedFiles(server, app)
  servePayerPages(server, { app, whole, clock, random, log, failed: REQUEST_FAILED })
  serveComponents(server, { app, rates, fieldsUrl: dependencies.fieldsUrl })
  serveHostedPages(server, { app, rates, random, log, failed: REQUEST_FAILED })
  servePreflights(server)
  serveOauth(server, { app, limits, rates, random, clock, signUp })
  if (docs) serveDocs(server, docs)
  const report = (err: unknown) => log.error({ err }, REQUEST_FAILED)
  const gate =
    dependencies.gate ??
    (dependencies.console && consoleGate({ app, rates, random, clock, report, ...dependencies.console }))
  if (gate) serveConsole(server, { app, gate, limits, log, failed: REQUEST_FAILED })
  serveGatewayNotifications(server, { app, limits, rates, stored })
  server.route({
    method: [...METHODS],
    url: '*',
    onRequest: missingForBrowsers(app),
    handler: handler({ app, limits, rates }),
  })
  if (log.isLevelEnabled('info')) logRequests(server, log)
  return server
}

/**
 * Warns once of a proxy that is not trusted: all its clients count as one address. Its header is ignored, because any
 * client could send one.
 */
function untrustedProxyWarning(log: Logger): (request: FastifyRequest) => void {
  let isWarned = false
  return (request) => {
    if (isWarned || !isBehindUntrustedProxy(request)) return
    isWarned = true
    log.warn({ peer: request.ip }, UNTRUSTED_PROXY)
  }
}

/** Request ids: random bytes for the process and a count, so that two processes never make the same id. */
function requestIds(random: Random): () => string {
  const process = Buffer.from(random.bytes(REQUEST_ID_BYTES)).toString('base64url')
  let count = 0
  return () => `req_${process}_${(++count).toString(36)}`
}
