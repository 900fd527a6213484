import type { ResourceModel } from '../../../model/resource-model.js'
import type { Row, Stored } from '../../../schema/columns.js'
import type { Field, ManyField, OneField } from '../../../schema/field.js'
import type { JsonObject } from '../../../schema/json.js'
import type { Resource } from '../../../schema/resource.js'
import { type Input, isTree } from '../../../schema/types.js'
import { MAX_NESTED, MAX_NESTED_OF_ONE } from '../read/cut-lists.js'
import { invalidAttributes } from '../request/api-error.js'
import { putDetail, withDetailPath } from '../request/error-details.js'
import type { Engine } from './engine.js'
import { flatten, type RelatedInput } from './flatten.js'
import { inheritedInput } from './inherit.js'
import { changedColumns, createNested, removeNested, updateNested } from './nested.js'
import { changesAnything, refuseMissing } from './readonly.js'
import { refuseUnknownReferences } from './references.js'

/** Creates an object and its nested objects. Spec: "Endpoints", nested objects, rule 1. */
export async function createTree(work: Engine, resource: ResourceModel, input: Input): Promise<Row> {
  const row = work.blankRow(resource)
  const related = flatten(resource, String(row.id), input, work.vault, row)
  await refuseUnknownReferences(work, resource, row)
  if (related.length > 0) Object.assign(row, await writeSingles(work, resource, { columns: row, related }))
  refuseMissing(resource, row)
  await work.insertRow(resource, row)
  if (related.length > 0) await writeLists(work, row, related)
  return work.cachedRow(resource.table, String(row.id)) ?? row
}

/** Updates an object and its nested objects. Spec: "Endpoints", nested objects, rules 1 to 3. */
export async function updateTree(
  work: Engine,
  resource: ResourceModel,
  row: Row,
  input: Input,
): Promise<Row> {
  const id = String(row.id)
  const columns: Row = {}
  const related = flatten(resource, id, input, work.vault, columns)
  refuseReplaced(resource, related, row)
  const written = { ...columns, ...(await writeSingles(work, resource, { columns, related }, row)) }
  const changes = changedColumns(resource, row, written)
  await refuseUnknownReferences(work, resource, changes)
  refuseMissing(resource, { ...row, ...changes })
  if (Object.keys(changes).length > 0) await work.changeRow(resource, id, changes)
  await writeLists(work, row, related)
  return work.cachedRow(resource.table, id) ?? row
}

/**
 * Throws `InvalidAttributes` if a nested object would be removed or replaced while its id may not be
 * changed.
 */
function refuseReplaced(resource: ResourceModel, related: readonly RelatedInput[], row: Row): void {
  const fields = resource.attributes
  const problems: JsonObject = {}
  for (const part of related) {
    if (part.kind !== 'one' || (part.input?.id ?? null) !== null) continue
    const problem = replacedProblem(fields[part.field.by], part.input, row[part.field.by] ?? null)
    if (problem) putDetail(problems, part.path, problem)
  }
  if (Object.keys(problems).length > 0) throw invalidAttributes(problems)
}

/**
 * Reason why the reference `current` cannot be replaced by a new object, or by null if `input` is null.
 * Undefined if it can be replaced.
 */
function replacedProblem(by: Field | undefined, input: Input | null, current: Stored): string | undefined {
  if (input) return by?.readonly === 'update' ? 'Read only' : undefined
  if (by?.readonly !== undefined && current !== null) return 'Read only'
  return by?.required ? 'Required' : undefined
}

/** Input tree, split into columns of a row and related objects. */
interface Flattened {
  readonly columns: Row
  readonly related: readonly RelatedInput[]
}

/**
 * Writes single related objects and returns the columns with their ids. Single related objects are written
 * first, because the row references them.
 */
async function writeSingles(
  work: Engine,
  resource: ResourceModel,
  { columns, related }: Flattened,
  row?: Row,
): Promise<Row> {
  const named: Row = {}
  for (const part of related) {
    if (part.kind !== 'one') continue
    const given = { resource, field: part.field, row, reference: columns[part.field.by] ?? null }
    const child = await withDetailPath(part.path, () => writeSingle(work, given, part.input))
    if (child !== undefined) named[part.field.by] = child
  }
  return named
}

/** Single relation to write: the row that holds it, and the reference that was sent with it. */
interface GivenRelation {
  readonly resource: ResourceModel
  readonly field: OneField
  readonly row: Row | undefined
  readonly reference: Stored
}

/** Id that the row references afterwards; undefined if it stays the same. */
async function writeSingle(
  work: Engine,
  { resource, field, row, reference }: GivenRelation,
  input: Input | null,
): Promise<string | null | undefined> {
  const target = work.model.get(field.to)
  const current = row?.[field.by] ?? null
  if (input === null) return current === null ? undefined : null
  const id = input.id ?? null
  if (id === null) {
    if (reference !== null && reference !== current) throw invalidAttributes({ id: `Must be ${reference}` })
    const whole = await inheritedInput(work, field, current, input)
    return String((await createNested(work, target, whole)).id)
  }
  if (reference !== null && reference !== id) throw invalidAttributes({ id: `Must be ${reference}` })
  if (id !== current) await refuseAttaching(work, resource, field, String(id))
  const child = await work.lockRow(target, String(id))
  if (!child) return await refuseOtherThanDeleted(work, field, current, input)
  if (Object.keys(input).length > 1) await updateNested(work, target, child, input)
  return id === current ? undefined : String(id)
}

/**
 * Accepts a deleted object that the row still references, if the client sends the object back as it was
 * shown. Throws `InvalidAttributes` otherwise.
 */
async function refuseOtherThanDeleted(
  work: Engine,
  field: OneField,
  current: Stored,
  input: Input,
): Promise<undefined> {
  const target = work.model.get(field.to)
  const kept = field.lasting && input.id === current ? await work.keptRow(target, String(current)) : undefined
  if (!kept) throw invalidAttributes({ id: 'Not found' })
  if (!(await isSame(work, target, kept, input))) throw invalidAttributes({ id: 'Is deleted' })
  return undefined
}

/** Whether an input tree equals a row and the related objects shown in it. */
export async function isSame(
  work: Engine,
  resource: ResourceModel,
  row: Row,
  input: Input,
): Promise<boolean> {
  if (changesAnything(resource, row, input, work)) return false
  const fields = resource.attributes
  for (const [name, value] of Object.entries(input)) {
    const field = fields[name]
    if (field?.kind === 'many' && !(await isSameList(work, field, String(row.id), value))) return false
    if (field?.kind !== 'one' || !isTree(value)) continue
    const target = work.model.get(field.to)
    const id = String(row[field.by])
    const related = (await work.findRow(target, id)) ?? (await work.keptRow(target, id))
    if (!related || !(await isSame(work, target, related, value))) return false
  }
  return true
}

async function isSameList(work: Engine, field: ManyField, parent: string, values: unknown): Promise<boolean> {
  const target = work.model.get(field.to)
  const rows = await work.rowsBy(target, field.by, parent)
  const inputs = Array.isArray(values) ? values.filter(isTree) : []
  if (inputs.length !== rows.length) return false
  for (const input of inputs) {
    const row = rows.find(({ id }) => id === input.id)
    if (!row || !(await isSame(work, target, row, input))) return false
  }
  return true
}

/**
 * Throws `InvalidAttributes` if an existing object may not be attached. Its id must be writable; an
 * exclusive object must not belong to another row.
 */
async function refuseAttaching(
  work: Engine,
  resource: ResourceModel,
  field: OneField,
  id: string,
): Promise<void> {
  const by = resource.attributes[field.by]
  const isComputed = by?.readonly !== undefined && by.readonly !== 'update'
  if (isComputed && !field.assigns) throw invalidAttributes({ id: 'Must be the nested object' })
  if (field.exclusive && (await work.rowsBy(resource, field.by, id)).length > 0)
    throw invalidAttributes({ id: 'Belongs to another object' })
}

async function writeLists(work: Engine, row: Row, related: readonly RelatedInput[]): Promise<void> {
  for (const part of related) {
    if (part.kind === 'many') await writeList(work, part.field, part.path, String(row.id), part.inputs)
  }
}

async function writeList(
  work: Engine,
  field: ManyField,
  path: readonly string[],
  parent: string,
  inputs: readonly Input[],
): Promise<void> {
  const target = work.model.get(field.to)
  const before = await work.rowsBy(target, field.by, parent)
  const kept = new Set(inputs.map((input) => input.id))
  refuseUnshown(target, path, before, before.filter(({ id }) => kept.has(String(id))).length)
  for (const child of before) {
    if (!kept.has(child.id)) await withDetailPath(path, () => removeNested(work, target, child))
  }
  for (const [index, input] of inputs.entries()) {
    await withDetailPath([...path, String(index)], async () => {
      if (input.id === undefined || input.id === null)
        return await createNested(work, target, { ...input, [field.by]: parent })
      const child = before.find((row) => row.id === input.id)
      if (!child) throw invalidAttributes({ id: 'Not found' })
      return await updateNested(work, target, child, input)
    })
  }
}

/**
 * Throws `InvalidAttributes` if `before` has more objects than an answer shows, so that sending an answer
 * back never deletes objects that it did not show. Lists of objects show the first `MAX_NESTED` of each
 * nested list; an object by its own path shows `MAX_NESTED_OF_ONE`. `kept` is the number of existing
 * objects that were sent.
 */
function refuseUnshown(
  { plural }: Resource,
  path: readonly string[],
  before: readonly Row[],
  kept: number,
): void {
  const shown = kept <= MAX_NESTED ? MAX_NESTED : MAX_NESTED_OF_ONE
  if (before.length <= shown) return
  const problems: JsonObject = {}
  putDetail(problems, path, `Has more than ${shown}; change them at /${plural}`)
  throw invalidAttributes(problems)
}
