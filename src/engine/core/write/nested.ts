import type { ResourceModel } from '../../../model/resource-model.js'
import type { Row, Stored } from '../../../schema/columns.js'
import type { Input } from '../../../schema/types.js'
import { authorize } from '../query/authorize.js'
import type { Engine } from './engine.js'

/**
 * Creates an object inside its parent's tree. Throws `Forbidden` unless the principal may create such objects
 * at their own path, or as parts of other objects.
 */
export async function createNested(work: Engine, target: ResourceModel, input: Input): Promise<Row> {
  if (!work.principal.parts?.includes(target.plural)) authorize(work.principal, 'POST', target)
  return await work.createBy(target, input)
}

/**
 * Updates an object inside its parent's tree. Throws `Forbidden` only if a value changes without
 * permission, because clients send whole trees back.
 */
export async function updateNested(
  work: Engine,
  target: ResourceModel,
  row: Row,
  input: Input,
): Promise<void> {
  const after = await work.update(target, row, input)
  if (Object.keys(changedColumns(target, row, after)).length > 0) authorize(work.principal, 'PUT', target)
}

export async function removeNested(work: Engine, target: ResourceModel, row: Row): Promise<void> {
  authorize(work.principal, 'DELETE', target)
  await work.remove(target, row)
}

/**
 * Columns whose value differs from the row's. A flag without a stored value counts as the value that is
 * shown.
 */
export function changedColumns({ unsetFlags }: ResourceModel, row: Row, columns: Row): Row {
  const meant = (name: string, stored: Stored | undefined) => stored ?? unsetFlags.get(name) ?? null
  return Object.fromEntries(
    Object.entries(columns).filter(([name, value]) => meant(name, row[name]) !== meant(name, value)),
  )
}
