import { expressionBuilder, sql } from 'kysely'
import type { Tables } from './tables.js'

/**
 * Column with the message to clients during maintenance, possibly empty; null otherwise. It is read
 * together with a credential, so it costs no extra query and is always current.
 */
export const maintenanceMessage = expressionBuilder<Tables, never>()
  .selectFrom('maintenance')
  .select(({ fn }) => fn.coalesce('message', sql.lit('')).as('message'))
  .as('maintenance_message')
