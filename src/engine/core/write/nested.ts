import { columnName, type Row, type Stored } from '../../../schema/columns.js'
import type { Fields } from '../../../schema/field.js'
import { attributesOf, type Resource } from '../../../schema/resource.js'
import type { Input } from '../../../schema/types.js'
import { unsetFlag } from '../../../schema/wire.js'
import { authorize } from '../query/authorize.js'
import type { Engine } from './engine.js'

/** What is written through a parent's tree needs the grant that its own path would. */
export async function createNested(work: Engine, target: Resource, input: Input): Promise<Row> {
  authorize(work.principal, 'POST', target)
  return await work.createBy(target, input)
}

/** Clients send whole trees back, so that only a change needs the grant. */
export async function updateNested(work: Engine, target: Resource, row: Row, input: Input): Promise<void> {
  const after = await work.update(target, row, input)
  if (Object.keys(changedColumns(target, row, after)).length > 0) authorize(work.principal, 'PUT', target)
}

export async function removeNested(work: Engine, target: Resource, row: Row): Promise<void> {
  authorize(work.principal, 'DELETE', target)
  await work.remove(target, row)
}

/** Those columns that have another value than a row; a flag of which nothing is stored has the value that is shown. */
export function changedColumns(resource: Resource, row: Row, columns: Row): Row {
  const unset = unsetFlagsOf(resource)
  const meant = (name: string, stored: Stored | undefined) => stored ?? unset.get(name) ?? null
  return Object.fromEntries(
    Object.entries(columns).filter(([name, value]) => meant(name, row[name]) !== meant(name, value)),
  )
}

/** What nothing stored in a flag means, by its column. */
function unsetFlagsOf(resource: Resource): ReadonlyMap<string, Stored> {
  const known = unsetFlags.get(resource)
  if (known) return known
  const found = new Map(flagsIn(attributesOf(resource), []))
  unsetFlags.set(resource, found)
  return found
}
const unsetFlags = new WeakMap<Resource, ReadonlyMap<string, Stored>>()

function flagsIn(fields: Fields, path: readonly string[]): [column: string, unset: Stored][] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const inner = [...path, name]
    if (field.kind === 'group') return flagsIn(field.fields, inner)
    return field.kind === 'flag' ? [[columnName(inner), unsetFlag(field)]] : []
  })
}
