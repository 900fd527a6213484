import { expressionBuilder, sql } from 'kysely'
import type { Tables } from './tables.js'

/**
 * The message to clients while the environment is in maintenance, perhaps empty; null otherwise. It is read along with
 * a credential, so that it costs no query of its own and is never out of date.
 */
export const maintenanceMessage = expressionBuilder<Tables, never>()
  .selectFrom('maintenance')
  .select(({ fn }) => fn.coalesce('message', sql.lit('')).as('message'))
  .as('maintenance_message')
