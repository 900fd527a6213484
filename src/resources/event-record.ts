import { datetime, type Fields, text } from '../schema/field.js'
import { transaction } from './transaction.js'

/**
 * What happened, for webhooks. Declared like a resource, without being one. Events of transactions follow from those, by rules;
 * nothing says how often a link or an account has fired one.
 */
export const eventRecord = {
  name: 'event',
  table: 'events',
  follows: { column: 'object_id', prefix: transaction.prefix },
  fields: {
    id: { kind: 'id' },
    trigger: text({ readonly: true }),
    object_id: text({ readonly: true }),
    value: text({ readonly: true }),
    processing_id: text({ readonly: true }),
    principal_id: text({ readonly: true }),
    created_at: datetime(),
  },
} as const satisfies {
  readonly name: string
  readonly table: string
  readonly follows: object
  readonly fields: Fields
}
