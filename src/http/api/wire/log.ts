import { type DestinationStream, destination, type Logger, pino } from 'pino'
import { codeOf } from './errors.js'

export type { Logger }

export type LogLevel = 'silent' | 'error' | 'warn' | 'info' | 'debug' | 'trace'

/** Quiet enough for a terminal: what went wrong here. Requests are told from `info`. */
const DEFAULT_LEVEL: LogLevel = 'warn'

/** Structured lines on stderr, or wherever told. What is logged is named where it is logged; nothing else gets in. */
export function openLog(level: LogLevel = DEFAULT_LEVEL, to: DestinationStream = destination(2)): Logger {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err } }, to)
}

/** What a log may know of an error: never its other properties, as databases put values there. */
function err(error: unknown) {
  if (!(error instanceof Error)) return { message: 'Something was thrown that is no error' }
  const told = { type: error.name, code: codeOf(error), message: redact(error.message) }
  // A sentence on what to do needs no stack, but what lies behind it: a disk, a server.
  return error.name === 'StoreError'
    ? { ...told, cause: causeOf(error.cause) }
    : { ...told, stack: redact(error.stack ?? '') }
}

function causeOf(cause: unknown): string | undefined {
  return cause instanceof Error ? redact(`${codeOf(cause) ?? cause.name}: ${cause.message}`) : undefined
}

/** Text without what must not be in a log: digits in a row as long as an account number, and keys. Ids stay. */
export function redact(text: string): string {
  return text
    .replace(ID_OR_DIGITS, (found) => (/^\d/.test(found) ? 'xxxx' : found))
    .replace(/((?:(?:secret|client)_key|(?:access|refresh)_token|oauth_code)_)\w+/g, '$1xxxx')
}
const ID_OR_DIGITS = /\b[a-z]+_[0-9A-Za-z]{22}\b|\d(?:(?:[ +-]|%20)?\d){6,}/g
