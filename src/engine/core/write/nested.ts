import type { Row } from '../../../schema/columns.js'
import type { Resource } from '../../../schema/resource.js'
import type { Input } from '../../../schema/types.js'
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
  if (Object.keys(changedColumns(row, after)).length > 0) authorize(work.principal, 'PUT', target)
}

export async function removeNested(work: Engine, target: Resource, row: Row): Promise<void> {
  authorize(work.principal, 'DELETE', target)
  await work.remove(target, row)
}

/** Those columns that have another value than a row. */
export function changedColumns(row: Row, columns: Row): Row {
  return Object.fromEntries(Object.entries(columns).filter(([name, value]) => row[name] !== value))
}
