import { component, type ReadonlyJsonObject, type Schema } from '../json-schema.js'
import type { Registry } from '../registry.js'
import type { DocumentedAction, DocumentedOperation } from './endpoints.js'
import { createExample, exampleOf, requiredExample } from './examples.js'
import { bodyList, newOf, plainInput, requiredToCreate } from './inputs.js'
import { schemaNames } from './names.js'

/** The media types that a body may have. Spec: "Endpoints", request payloads. */
const JSON_TYPE = 'application/json'
const MEDIA_TYPES = [JSON_TYPE, 'application/x-www-form-urlencoded', 'multipart/form-data']

/** The request body of an operation; undefined where it takes none. */
export function requestBodyOf(registry: Registry, does: DocumentedAction): ReadonlyJsonObject | undefined {
  switch (does.kind) {
    case 'list':
    case 'get':
    case 'delete':
      return undefined
    case 'create':
      return body(...newObject(registry, does))
    case 'create many': {
      const [one, example] = newObject(registry, does)
      const list = does.parent ? bodyList(one) : component('schemas', schemaNames(does.resource).createList)
      return body(list, { object: 'list', values: [example] })
    }
    case 'update':
      return body(component('schemas', schemaNames(does.resource).input), {})
    case 'update many': {
      const { input, updateList } = schemaNames(does.resource)
      const either = { anyOf: [component('schemas', updateList), component('schemas', input)] }
      return body(either, { object: 'list', values: [] })
    }
    case 'delete many':
      return body(component('schemas', schemaNames(does.resource).deleteList), { object: 'list', values: [] })
    case 'act':
      return body(
        plainInput(registry, does.action.input),
        does.action.example ?? requiredExample(registry, does.action.input),
      )
    case 'operate': {
      const { method, input, example } = does.operation
      if (method === 'GET') return undefined
      return body(plainInput(registry, input), example ?? exampleOf(registry, input, Object.keys(input)))
    }
  }
}

/** The schema of a new object and an example; what its path gives need not be sent. */
function newObject(
  registry: Registry,
  { resource, parent }: DocumentedOperation,
): [schema: Schema, example: ReadonlyJsonObject] {
  const { create, input } = schemaNames(resource)
  if (parent?.field.kind !== 'many') return [component('schemas', create), createExample(registry, resource)]
  const given = [parent.field.by, ...Object.keys(parent.field.preset ?? {})]
  const schema = newOf(resource, component('schemas', input), requiredToCreate(resource, given))
  return [schema, createExample(registry, resource, given)]
}

/** JSON has an example. */
function body(schema: Schema, example: ReadonlyJsonObject): ReadonlyJsonObject {
  const media: ReadonlyJsonObject = { schema }
  const content = MEDIA_TYPES.map(
    (type) => [type, type === JSON_TYPE ? { ...media, example } : media] as const,
  )
  return { content: Object.fromEntries(content) }
}
