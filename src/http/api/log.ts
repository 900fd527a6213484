import type { FastifyInstance } from 'fastify'
import { type DestinationStream, type Logger, pino } from 'pino'
import { codeOf } from '../../platform/error-code.js'
import { LogDestination } from './log-destination.js'
import { splitTarget } from './request-target.js'

export type { Logger }

export type LogLevel = 'silent' | 'error' | 'warn' | 'info' | 'debug' | 'trace'

declare module 'fastify' {
  interface FastifyRequest {
    /** Id of the principal, as a log may show it; undefined until it is known. */
    principalId?: string | undefined
  }
}

/** Level for a terminal: only problems of this server are logged. With `info`, requests are logged, too. */
const DEFAULT_LEVEL: LogLevel = 'warn'

/** Logged when lines can be written again after others were dropped. */
export const LINES_DROPPED = 'log lines were dropped, as they could not be written'

/** Structured lines on stderr, or to `to`. Only properties that are passed explicitly are logged. */
export function openLog(
  level: LogLevel = DEFAULT_LEVEL,
  to: DestinationStream = new LogDestination(),
): Logger {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err } }
  const logger = pino(options, to)
  if (to instanceof LogDestination) to.onDropped = (lines) => logger.error({ lines }, LINES_DROPPED)
  return logger
}

/** Waits until a log is written, or cannot be written for now. */
export function flushLog(logger: Logger): Promise<void> {
  return new Promise((resolve) => logger.flush(() => resolve()))
}

/** Parts of an error that a log shows: never its other properties, as databases put values there. */
function err(error: unknown) {
  if (!(error instanceof Error)) return { message: 'Something other than an error was thrown' }
  const line = { type: error.name, code: codeOf(error), message: redact(error.message) }
  // The message of a StoreError says what to do, and its cause (a disk, a server) helps more than the stack.
  return error.name === 'StoreError'
    ? { ...line, cause: causeOf(error.cause) }
    : { ...line, stack: redact(error.stack ?? '') }
}

function causeOf(cause: unknown): string | undefined {
  return cause instanceof Error ? redact(`${codeOf(cause) ?? cause.name}: ${cause.message}`) : undefined
}

/** Text without the values that a log must not hold: keys, and numbers as long as an account number. Ids remain. */
export function redact(text: string): string {
  return text
    .replace(ID_OR_DIGITS, (found) => (/^\d/.test(found) ? 'xxxx' : found))
    .replace(/((?:(?:secret|client)_key|(?:access|refresh)_token|oauth_code|console_entry)_)\w+/g, '$1xxxx')
}
const ID_OR_DIGITS = /\b[a-z]+_[0-9A-Za-z]{22}\b|\d(?:(?:[ +-]|%20)?\d){6,}/g

/** Logs every request when it ends: method, path, principal and status, but no values, bodies or keys. */
export function logRequests(server: FastifyInstance, log: Logger): void {
  server.addHook('onResponse', (request, reply, done) => {
    const { path } = splitTarget(request.raw.url)
    const line = {
      request: request.id,
      method: request.method,
      path: redact(path),
      status: reply.statusCode,
      milliseconds: Math.round(reply.elapsedTime * 10) / 10,
      key: request.principalId,
    }
    if (path === '/healthz') log.debug(line, 'request')
    else log.info(line, 'request')
    done()
  })
}
