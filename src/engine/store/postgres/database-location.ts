import { StoreError } from '../database/store-error.js'

/**
 * Server and database of an address, without its credentials. Throws a `StoreError` if the address is
 * invalid.
 */
export function databaseLocation(databaseUrl: string): string {
  const url = URL.canParse(databaseUrl) ? new URL(databaseUrl) : undefined
  if (!url || !/^postgres(ql)?:$/.test(url.protocol))
    throw new StoreError(
      'refused',
      'PAYCTL_DATABASE_URL is no address of PostgreSQL; write postgres://user@host/database',
    )
  return `${url.host}${url.pathname}`
}
