import { columnName, type Stored, secretColumns } from '../schema/columns.js'
import { type Field, type Fields, isValueField } from '../schema/field.js'
import { shownColumn, unsetFlag } from '../schema/wire.js'
import type {
  DemandingGroup,
  IdReference,
  InputPlace,
  InputPlaces,
  NamedRelation,
  ResourceModel,
  ResourceModels,
  TrackedAttribute,
} from './resource-model.js'

/** Places of all attributes that may be stored, by their names. */
export function placesOf(fields: Fields, above: readonly string[] = []): InputPlaces {
  const found = new Map<string, InputPlace>()
  for (const [name, field] of Object.entries(fields)) {
    const path = [...above, name]
    const inner = field.kind === 'group' ? placesOf(field.fields, path) : new Map<string, InputPlace>()
    const secret = secretColumns(path)
    if (!field.transient) found.set(name, { field, path, column: columnName(path), secret, inner })
  }
  return found
}

/** Attributes whose changes are named in lines of activity, including attributes in groups. */
export function trackedOf(fields: Fields, above: readonly string[] = []): readonly TrackedAttribute[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const path = [...above, name]
    if (field.kind === 'group') return trackedOf(field.fields, path)
    if (field.transient || !isValueField(field) || UNTRACKED.has(columnName(path))) return []
    const columns = field.kind === 'secret' ? Object.values(secretColumns(path)) : [columnName(path)]
    return [{ name: path.join('.'), field, columns, isKept: isKept(field) }]
  })
}

/** Columns that identify the row and the time of its change. */
const UNTRACKED: ReadonlySet<string> = new Set(['id', 'created_at', 'modified_at'])

/** Whether values of a field may be kept permanently, because its kind never holds personal data. */
function isKept(field: Field): boolean {
  switch (field.kind) {
    case 'money':
    case 'flag':
    case 'one_of':
    case 'ref':
      return true
    case 'number':
    case 'json':
      return field.logged === true
    default:
      return false
  }
}

/** Attributes that hold the id of another object, including those in groups. */
export function referencesOf(fields: Fields, above: readonly string[] = []): IdReference[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const path = [...above, name]
    if (field.kind === 'group') return referencesOf(field.fields, path)
    return field.kind === 'ref' ? [{ field, path, column: columnName(path) }] : []
  })
}

/** Single relations that clients may send as an object or as a reference to the object. */
export function namedRelationsOf(fields: Fields): NamedRelation[] {
  return singleRelations(fields, (by) => by?.kind === 'ref' && !isComputed(by))
}

/** Single relations whose reference a new object must have. */
export function requiredRelationsOf(fields: Fields): NamedRelation[] {
  return singleRelations(fields, (by) => by?.required === true)
}

function singleRelations(fields: Fields, holds: (by: Field | undefined) => boolean): NamedRelation[] {
  return Object.entries(fields).flatMap(([name, field]) =>
    field.kind === 'one' && holds(fields[field.by]) ? [{ name, field }] : [],
  )
}

/**
 * Columns of a table that reference an owner: an object that shows the rows as one of its lists. The value is
 * the owner's resource.
 */
export function ownersOf(model: ResourceModels, table: string): ReadonlyMap<string, ResourceModel> {
  const owners = new Map<string, ResourceModel>()
  for (const owner of model.all)
    for (const field of Object.values(owner.attributes))
      if (field.kind === 'many' && model.get(field.to).table === table && !owner.view)
        owners.set(field.by, owner)
  return owners
}

/** Groups with required attributes, including groups in groups. */
export function demandingGroupsOf(fields: Fields, above: readonly string[] = []): DemandingGroup[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    if (field.kind !== 'group') return []
    const path = [...above, name]
    const group = demandsOf(field.fields, path)
    return [...(group.required.length > 0 ? [group] : []), ...demandingGroupsOf(field.fields, path)]
  })
}

function demandsOf(fields: Fields, above: readonly string[]): DemandingGroup {
  const own = Object.entries(fields).flatMap(([name, field]) => {
    const path = [...above, name]
    const isGiven = isValueField(field) && !field.transient && !field.manage && !isComputed(field)
    return isGiven ? [{ path, column: shownColumn(field, path), required: field.required }] : []
  })
  return { columns: own.map(({ column }) => column), required: own.filter(({ required }) => required) }
}

/** Whether the service sets the attribute of a new object. */
function isComputed({ readonly }: Field): boolean {
  return readonly !== undefined && readonly !== 'update'
}

/** Meaning of null in the column of each flag. */
export function unsetFlagsOf(fields: Fields): ReadonlyMap<string, Stored> {
  return new Map(flagsIn(fields, []))
}

function flagsIn(fields: Fields, above: readonly string[]): [column: string, unset: Stored][] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const path = [...above, name]
    if (field.kind === 'group') return flagsIn(field.fields, path)
    return field.kind === 'flag' ? [[columnName(path), unsetFlag(field)]] : []
  })
}
