import type { Field, Fields } from './field.js'
import type { Registry } from './registry.js'
import { attributesOf, isDefault } from './resource.js'

/** Names of the groups and objects around an attribute, and of the attribute itself. */
type Path = readonly string[]

type Declared = Pick<Registry, 'find'>

/** Field at a path, which may contain indexes of lists; undefined if it is not declared. */
export function fieldAt(registry: Declared, known: Fields, path: Path): Field | undefined {
  let fields = known
  let field: Field | undefined
  for (const name of path) {
    if (/^\d+$/.test(name)) continue
    field = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (!field) return undefined
    fields = fieldsOfGroup(registry, field)
  }
  return field
}

/** Fields inside a group or nested object. */
export function fieldsOfGroup(registry: Declared, field: Field): Fields {
  if (field.kind === 'group' || field.kind === 'rows') return field.fields
  if (field.kind !== 'one' && field.kind !== 'many') return {}
  const target = registry.find(field.to)
  return target ? attributesOf(target) : {}
}

/** Paths of the single values that are shown by default, in groups and in nested objects one level deep. */
export function singleValues(
  registry: Declared,
  fields: Fields,
  path: Path = [],
  depth = 0,
): readonly Path[] {
  return Object.entries(fields).flatMap(([name, field]): readonly Path[] => {
    const inner = [...path, name]
    if (!isDefault(field) || field.kind === 'constant') return []
    if (field.kind === 'group') return singleValues(registry, field.fields, inner, depth)
    if (field.kind !== 'one') return [inner]
    return depth > 0 ? [] : singleValues(registry, fieldsOfGroup(registry, field), inner, depth + 1)
  })
}
