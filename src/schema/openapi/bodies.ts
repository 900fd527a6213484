import { component, type ReadonlyJsonObject, type Schema } from '../json-schema.js'
import type { Registry } from '../registry.js'
import type { EndpointAction, ResourceOperation } from './endpoints.js'
import { createExample, exampleOf, requiredExample } from './examples.js'
import { bodyList, plainInput, requiredToCreate, withRequired } from './inputs.js'
import { schemaNames } from './names.js'

/** The media types that a body may have. Spec: "Endpoints", request payloads. */
const JSON_TYPE = 'application/json'
const MEDIA_TYPES = [JSON_TYPE, 'application/x-www-form-urlencoded', 'multipart/form-data']

/** The request body of an operation; undefined where it takes none. */
export function requestBodyOf(registry: Registry, does: EndpointAction): ReadonlyJsonObject | undefined {
  switch (does.kind) {
    case 'list':
    case 'get':
    case 'delete':
      return undefined
    case 'create':
      return bodyToCreate(registry, does)
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
      return body(plainInput(registry, does.action.input), requiredExample(registry, does.action.input))
    case 'operate': {
      const { method, input, example } = does.operation
      if (method === 'GET') return undefined
      return body(plainInput(registry, input), example ?? exampleOf(registry, input, Object.keys(input)))
    }
  }
}

function bodyToCreate(registry: Registry, { resource, parent }: ResourceOperation): ReadonlyJsonObject {
  const { create, createList, input } = schemaNames(resource)
  if (parent?.field.kind !== 'many')
    return body(
      { anyOf: [component('schemas', create), component('schemas', createList)] },
      createExample(registry, resource),
    )
  const given = [parent.field.by, ...Object.keys(parent.field.preset ?? {})]
  const one = withRequired(component('schemas', input), requiredToCreate(resource, given))
  return body({ anyOf: [one, bodyList(one)] }, createExample(registry, resource, given))
}

/** JSON has an example. */
function body(schema: Schema, example: ReadonlyJsonObject): ReadonlyJsonObject {
  const media: ReadonlyJsonObject = { schema }
  const content = MEDIA_TYPES.map(
    (type) => [type, type === JSON_TYPE ? { ...media, example } : media] as const,
  )
  return { content: Object.fromEntries(content) }
}
