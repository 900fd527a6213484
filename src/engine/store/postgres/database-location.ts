import querystring from 'node:querystring'
import { StoreError } from '../database/store-error.js'

/**
 * Server and database of an address, without its credentials. Throws a `StoreError` if the address is
 * invalid, or if a part of an unencoded password may be taken for the database.
 */
export function databaseLocation(databaseUrl: string): string {
  const url = URL.canParse(databaseUrl) ? new URL(databaseUrl) : undefined
  if (!url || !['postgres:', 'postgresql:'].includes(url.protocol))
    throw new StoreError(
      'refused',
      'PAYCTL_DATABASE_URL is no address of PostgreSQL; write postgres://user@host/database',
    )
  if (url.pathname.includes('@'))
    throw new StoreError(
      'refused',
      'PAYCTL_DATABASE_URL has an @ after the server; in a password, write / as %2F and @ as %40',
    )
  return `${url.host}${url.pathname}`
}

/** Seconds in which the server must accept a connection if its address does not say. */
const CONNECT_SECONDS = 10

const MAX_CONNECT_SECONDS = 3600

/**
 * Milliseconds in which the server must accept a connection. `connect_timeout` of the address gives them in seconds;
 * that is the name in other clients of PostgreSQL, too. Throws a `StoreError` if it is no number, not above zero or over
 * an hour.
 */
export function connectTimeout(databaseUrl: string): number {
  const seconds = Number(new URL(databaseUrl).searchParams.get('connect_timeout') ?? CONNECT_SECONDS)
  if (seconds > 0 && seconds <= MAX_CONNECT_SECONDS) return seconds * 1000
  throw new StoreError(
    'refused',
    `connect_timeout in PAYCTL_DATABASE_URL must be a number of seconds up to ${MAX_CONNECT_SECONDS}, such as 30`,
  )
}

/**
 * Passwords of a valid address, as they are written and as they are sent. Omits a password that is also part of
 * the user, the server or the database, because masking would hide these names.
 */
export function passwordsIn(databaseUrl: string | undefined): readonly string[] {
  if (databaseUrl === undefined) return []
  const { username, password, host, pathname, searchParams } = new URL(databaseUrl)
  const names = querystring.unescape(`${username}@${host}${pathname}`)
  const written = [password, searchParams.get('password') ?? '']
  return [...written, querystring.unescape(password)].filter((one) => one !== '' && !names.includes(one))
}
