import type { AdminOperation } from '../schema/admin-operation.js'
import type { Field, Fields } from '../schema/field.js'
import type { Registry } from '../schema/registry.js'
import { attributesOf, type Resource } from '../schema/resource.js'

/** What a terminal knows of the objects it shows. */
export interface Shape {
  /** Paths of the attributes that a table shows. */
  readonly columns: readonly (readonly string[])[]
  /** The field at a path; nothing for what is not declared. */
  field(path: readonly string[]): Field | undefined
}

export function shapeOf(registry: Registry, resource: Resource): Shape {
  const fields = attributesOf(resource)
  return { columns: resource.columns.map(pathOf), field: (path) => fieldAt(registry, fields, path) }
}

/** What an admin operation answers. */
export function shapeOfAnswer(registry: Registry, { output }: AdminOperation): Shape {
  return {
    columns: Object.keys(output).map((name) => [name]),
    field: (path) => fieldAt(registry, output, path),
  }
}

/** Objects of no declared resource. */
export const shapeless: Shape = { columns: [], field: () => undefined }

/** `payment_method[card][expiry]` and `payment_method.card.expiry` are the same path. */
export function pathOf(name: string): readonly string[] {
  return name.replaceAll(']', '').split(/[[.]/)
}

/** A path in the interface's bracket form. */
export function bracketed([first = '', ...rest]: readonly string[]): string {
  return first + rest.map((name) => `[${name}]`).join('')
}

function fieldAt(registry: Registry, known: Fields, path: readonly string[]): Field | undefined {
  let fields = known
  let field: Field | undefined
  for (const name of path) {
    if (/^\d+$/.test(name)) continue
    field = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (!field) return undefined
    fields = fieldsWithin(registry, field)
  }
  return field
}

function fieldsWithin(registry: Registry, field: Field) {
  if (field.kind === 'group' || field.kind === 'rows') return field.fields
  if (field.kind !== 'one' && field.kind !== 'many') return {}
  const target = registry.find(field.to)
  return target ? attributesOf(target) : {}
}
