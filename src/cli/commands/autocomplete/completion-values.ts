import type { Field } from '../../../schema/field.js'
import type { Resource } from '../../../schema/resource.js'
import { attributesOf, isDefault } from '../../../schema/resource.js'
import { registry } from '../../terminal/declarations/declared-registry.js'
import { bracketed, pathOf, shapeOf } from '../../terminal/input/shape.js'
import { topicOf } from '../derived/topic.js'

/** Completions for the value of a flag about attributes; none for other flags. */
export function valuesFor(topic: string, flag: string, current: string): readonly string[] {
  const resource = registry.all.find((one) =>
    one.admin ? one.name === 'api_key' && topic === 'keys' : topicOf(one) === topic,
  )
  if (!resource) return []
  switch (flag) {
    case 'where':
      return current.includes('=')
        ? filterValues(resource, current)
        : namesOf(resource, current).map((name) => `${name}=`)
    case 'fields':
    case 'columns':
    case 'group-by':
      return listed(current, [...namesOf(resource, current), ...listsOf(resource)])
    case 'order-by':
      return listed(current, [
        ...namesOf(resource, current),
        ...namesOf(resource, current).map((name) => `-${name}`),
      ])
    case 'sum':
      return listed(
        current,
        namesOf(resource, current).filter((name) => isSummed(fieldOf(resource, name))),
      )
    default:
      return isMomentFlag(flag) ? ['today', 'yesterday', '2d', '2w'] : []
  }
}

/** Completions of values in filters: after `status=`, after another value and `|`, and after an operator. */
function filterValues(resource: Resource, current: string): readonly string[] {
  const [start = ''] = /^.*[=|](!|<=|>=|<|>)?/.exec(current) ?? []
  const field = fieldOf(resource, current.slice(0, current.indexOf('=')))
  return choicesOf(field).map((value) => start + value)
}

function choicesOf(field: Field | undefined): readonly string[] {
  switch (field?.kind) {
    case 'one_of':
    case 'derived':
      return field.values
    case 'flag':
      return ['true', 'false']
    case 'date':
    case 'datetime':
      return ['today', 'yesterday', '2d', '2w']
    default:
      return []
  }
}

/** Completions of the last name in a comma-separated list. */
function listed(current: string, names: readonly string[]): readonly string[] {
  const start = current.slice(0, current.lastIndexOf(',') + 1)
  return names.map((name) => start + name)
}

/**
 * Names of attributes. Nested attributes are written with dots if the typed name contains a dot, otherwise with
 * brackets.
 */
function namesOf(resource: Resource, current: string): readonly string[] {
  const isDotted = current.slice(current.lastIndexOf(',') + 1).includes('.')
  return shapeOf(registry, resource).attributes.map((path) => (isDotted ? path.join('.') : bracketed(path)))
}

/** Attributes that are shown only on request: related objects and lists. */
function listsOf(resource: Resource): readonly string[] {
  return Object.entries(attributesOf(resource))
    .filter(([, field]) => !isDefault(field) && !field.transient)
    .map(([name]) => name)
}

function fieldOf(resource: Resource, name: string): Field | undefined {
  return shapeOf(registry, resource).field(pathOf(name))
}

function isSummed(field: Field | undefined): boolean {
  return field?.kind === 'money' || field?.kind === 'number' || field?.kind === 'integer'
}

function isMomentFlag(flag: string): boolean {
  return /-(after|before)$/.test(flag)
}
