import type { Row } from '../../../schema/columns.js'
import type { ManyField, OneField } from '../../../schema/field.js'
import type { JsonObject } from '../../../schema/json.js'
import { attributesOf, type Resource, tableNameOf } from '../../../schema/resource.js'
import type { Input } from '../../../schema/types.js'
import { authorize } from '../query/authorize.js'
import { MAX_NESTED } from '../read/related-rows.js'
import { putDetail, withDetailPath } from '../request/details.js'
import { invalidAttributes } from '../request/errors.js'
import type { Engine } from './engine.js'
import { type Flattened, flatten } from './flatten.js'
import { refuseMissing } from './readonly.js'
import { refuseUnknownReferences } from './references.js'

/** Creates an object and what is nested in it. Spec: "Endpoints", nested objects, rule 1. */
export async function createTree(work: Engine, resource: Resource, input: Input): Promise<Row> {
  const row: Row = work.blankRow(resource)
  const { columns, related } = flatten(resource, tableNameOf(resource), String(row.id), input, work.vault)
  await refuseUnknownReferences(work, resource, columns)
  Object.assign(row, columns, await writeSingles(work, related))
  refuseMissing(resource, row)
  await work.insertRow(resource, row)
  await writeLists(work, row, related)
  return work.cachedRow(tableNameOf(resource), String(row.id)) ?? row
}

/** Changes an object and what is nested in it. Spec: "Endpoints", nested objects, rules 1 to 3. */
export async function updateTree(work: Engine, resource: Resource, row: Row, input: Input): Promise<Row> {
  const id = String(row.id)
  const { columns, related } = flatten(resource, tableNameOf(resource), id, input, work.vault)
  refuseReplaced(resource, related, row)
  const changes = changed(row, { ...columns, ...(await writeSingles(work, related, row)) })
  await refuseUnknownReferences(work, resource, changes)
  refuseMissing(resource, { ...row, ...changes })
  if (Object.keys(changes).length > 0) await work.changeRow(resource, id, changes)
  await writeLists(work, row, related)
  return work.cachedRow(tableNameOf(resource), id) ?? row
}

function changed(row: Row, columns: Row): Row {
  return Object.fromEntries(Object.entries(columns).filter(([name, value]) => row[name] !== value))
}

/** A nested object may be removed or replaced only where its id may be. Throws `InvalidAttributes`. */
function refuseReplaced(resource: Resource, related: Flattened['related'], row: Row): void {
  const fields = attributesOf(resource)
  const problems: JsonObject = {}
  for (const part of related) {
    if (part.kind !== 'one' || (part.input?.id ?? null) !== null) continue
    const by = fields[part.field.by]
    const isNamed = (row[part.field.by] ?? null) !== null
    if (by?.readonly === 'update' && (part.input || isNamed)) putDetail(problems, part.path, 'Read only')
    else if (by?.required && !part.input) putDetail(problems, part.path, 'Required')
  }
  if (Object.keys(problems).length > 0) throw invalidAttributes(problems)
}

/** Single related objects come first, as the row names them. */
async function writeSingles(work: Engine, related: Flattened['related'], row?: Row): Promise<Row> {
  const named: Row = {}
  for (const part of related) {
    if (part.kind !== 'one') continue
    const child = await withDetailPath(part.path, () => writeSingle(work, part.field, part.input, row))
    if (child !== undefined) named[part.field.by] = child
  }
  return named
}

/** The id that the row names afterwards; undefined where it stays the same. */
async function writeSingle(
  work: Engine,
  field: OneField,
  input: Input | null,
  row: Row | undefined,
): Promise<string | null | undefined> {
  const target = work.registry.get(field.to)
  if (input === null) return row && row[field.by] !== null ? null : undefined
  if (input.id === undefined || input.id === null) return String((await createNested(work, target, input)).id)
  if (!row || row[field.by] !== input.id) throw invalidAttributes({ id: 'Must be the nested object' })
  const child = await work.lockRow(target, String(input.id))
  if (!child) throw invalidAttributes({ id: 'Not found' })
  await updateNested(work, target, child, input)
  return undefined
}

async function writeLists(work: Engine, row: Row, related: Flattened['related']): Promise<void> {
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
  const target = work.registry.get(field.to)
  const before = await work.rowsBy(target, field.by, parent)
  refuseUnshown(target, path, before)
  const kept = new Set(inputs.map((input) => input.id))
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

/** Sending back what was shown must not delete what was not shown. */
function refuseUnshown({ plural }: Resource, path: readonly string[], before: readonly Row[]): void {
  if (before.length <= MAX_NESTED) return
  const problems: JsonObject = {}
  putDetail(problems, path, `Has more than ${MAX_NESTED}; change them at /${plural}`)
  throw invalidAttributes(problems)
}

/** What is written through a parent's tree needs the grant that its own path would. */
async function createNested(work: Engine, target: Resource, input: Input): Promise<Row> {
  authorize(work.principal, 'POST', target)
  return await work.createBy(target, input)
}

/** Clients send whole trees back, so that only a change needs the grant. */
async function updateNested(work: Engine, target: Resource, row: Row, input: Input): Promise<void> {
  const after = await work.update(target, row, input)
  if (Object.keys(changed(row, after)).length > 0) authorize(work.principal, 'PUT', target)
}

async function removeNested(work: Engine, target: Resource, row: Row): Promise<void> {
  authorize(work.principal, 'DELETE', target)
  await work.remove(target, row)
}
