import { expressionBuilder, sql } from 'kysely'
import type { Tables } from './tables.js'

/**
 * What programs are told while the environment is in maintenance (an empty text when nothing is); nothing otherwise.
 * It is read along with a credential, so that the question costs no look of its own and is never answered late.
 */
export const maintenanceMessage = expressionBuilder<Tables, never>()
  .selectFrom('maintenance')
  .select(({ fn }) => fn.coalesce('message', sql.lit('')).as('message'))
  .as('turned_away')
