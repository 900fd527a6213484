import type { ResourceModel } from '../../../model/resource-model.js'
import { columnName, type Row } from '../../../schema/columns.js'
import type { Field, Fields } from '../../../schema/field.js'
import { type Input, isTree } from '../../../schema/types.js'
import type { RowLock } from '../../store/database/differences.js'
import type { UnitOfWork } from './unit-of-work.js'

/**
 * Locks the objects that a list of new objects references, in the order of tables and ids. All are locked
 * before the first object is created, because two lists with the same references in different order would
 * wait for each other. Owners, which show the new object as a part, get the lock `change`; others the lock
 * `reference`.
 */
export async function lockNamed(
  work: UnitOfWork,
  resource: ResourceModel,
  inputs: readonly Input[],
): Promise<void> {
  if (!work.locks) return
  await lockAll(
    work,
    inputs.flatMap((input) => namedIn(resource, input)),
  )
}

/** Locks the owners of rows: the objects that show these rows as their parts. */
export async function lockOwners(
  work: UnitOfWork,
  resource: ResourceModel,
  rows: readonly Row[],
): Promise<void> {
  if (!work.locks) return
  const owners = [...resource.owners].flatMap(([column, owner]) =>
    rows.map((row) => ({ resource: owner, id: row[column], lock: 'change' as const })),
  )
  await lockAll(work, owners)
}

interface Named {
  readonly resource: ResourceModel
  readonly id: unknown
  readonly lock: RowLock
}

async function lockAll(work: UnitOfWork, named: readonly Named[]): Promise<void> {
  const ids = new Map<string, { resource: ResourceModel; lock: RowLock; ids: string[] }>()
  for (const { resource, id, lock } of named) {
    if (typeof id !== 'string') continue
    const key = `${resource.table} ${lock} ${resource.name}`
    const group = ids.get(key) ?? { resource, lock, ids: [] }
    group.ids.push(id)
    ids.set(key, group)
  }
  for (const [, group] of [...ids].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    await work.lockInOrder(group.resource, group.ids, group.lock)
}

/**
 * Objects that an input references at any depth, with the lock for each. A nested object may change the
 * objects that it references: an entry, for example, changes its payment. So the references of nested objects
 * get the lock `change`.
 */
function namedIn(resource: ResourceModel, input: Input, isNested = false): Named[] {
  const { model, owners } = resource
  const nested = (to: string, tree: Input) => namedIn(model.get(to), tree, true)
  return partsOf(resource.attributes, input, []).flatMap(({ field, value, column }): Named[] => {
    switch (field.kind) {
      case 'ref': {
        const target = model.find(field.to)
        const lock = isNested || owners.has(column) ? 'change' : 'reference'
        return target ? [{ resource: target, id: value, lock }] : []
      }
      case 'one': {
        if (!isTree(value)) return []
        const target = model.get(field.to)
        return [{ resource: target, id: value.id, lock: 'reference' }, ...nested(field.to, value)]
      }
      case 'many':
        return Array.isArray(value) ? value.filter(isTree).flatMap((child) => nested(field.to, child)) : []
      default:
        return []
    }
  })
}

/** Attributes of an input, including those in groups. */
function partsOf(fields: Fields, tree: Input, path: readonly string[]): InputPart[] {
  return Object.entries(tree).flatMap(([name, value]) => {
    const field = fields[name]
    if (!field) return []
    if (field.kind === 'group') return isTree(value) ? partsOf(field.fields, value, [...path, name]) : []
    return [{ field, value, column: columnName([...path, name]) }]
  })
}

interface InputPart {
  readonly field: Field
  readonly value: unknown
  readonly column: string
}
