import { type ServiceTable, serviceTables } from '../resources/service-tables.js'
import { integer, text } from '../schema/field.js'
import type { ResourceModel, ResourceModels } from './resource-model.js'

/** A table whose changes have lines of activity, as far as lines follow from its declaration. */
export type LoggedTable = Pick<
  ResourceModel,
  'name' | 'table' | 'tracked' | 'ownership' | 'attributes' | 'model'
>

/** The tables without a resource whose changes have lines. */
export function loggedServiceTables(model: ResourceModels): LoggedTable[] {
  return Object.entries<ServiceTable>(serviceTables).flatMap(([table, { activity, columns, seals }]) => {
    if ('unlogged' in activity) return []
    if ('unsealed' in seals) throw new Error(`Changes of ${table} have lines, so it must be sealed`)
    const tracked = activity.keeps.map((name) => ({
      name,
      field: columns[name]?.startsWith('integer') ? integer() : text(),
      columns: [name],
      isKept: true,
    }))
    const ownership = 'processing_id' in columns ? [{ kind: 'names', column: 'processing_id' } as const] : []
    return [{ name: seals.as, table, tracked, ownership, attributes: {}, model }]
  })
}
