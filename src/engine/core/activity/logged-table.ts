import type { ResourceModel } from '../../../model/resource-model.js'
import { type ServiceTable, serviceTables } from '../../../resources/service-tables.js'
import { integer, text } from '../../../schema/field.js'

/** Table whose changes have lines of activity, with the parts of its declaration that lines require. */
export type LoggedTable = Pick<ResourceModel, 'name' | 'table' | 'tracked' | 'ownership' | 'attributes'>

/** Service table whose changes have lines; undefined for every other table. */
export function loggedServiceTable(table: string): LoggedTable | undefined {
  known ??= new Map(
    Object.entries<ServiceTable>(serviceTables).flatMap(([name, declaration]) => {
      const logged = loggedTable(name, declaration)
      return logged ? [[name, logged] as const] : []
    }),
  )
  return known.get(table)
}
let known: ReadonlyMap<string, LoggedTable> | undefined

function loggedTable(table: string, { activity, columns, seals }: ServiceTable): LoggedTable | undefined {
  if ('unlogged' in activity) return undefined
  if ('unsealed' in seals) throw new Error(`Changes of ${table} have lines, so it must be sealed`)
  const tracked = activity.keeps.map((name) => ({
    name,
    field: columns[name]?.startsWith('integer') ? integer() : text(),
    columns: [name],
    isKept: true,
  }))
  const ownership = 'processing_id' in columns ? [{ kind: 'names', column: 'processing_id' } as const] : []
  return { name: seals.as, table, tracked, ownership, attributes: {} }
}
