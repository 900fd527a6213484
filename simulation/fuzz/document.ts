import { adminOperations } from '../../src/resources/admin/admin-operations.js'
import { resources } from '../../src/resources/resource-table.js'
import type { Json } from '../../src/schema/json.js'
import { documentOf } from '../../src/schema/openapi/document.js'
import { registryOf } from '../../src/schema/registry.js'

/** The parts of an OpenAPI schema that are needed to generate values. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly const?: Json
  readonly enum?: readonly Json[]
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly properties?: { readonly [name: string]: Schema }
  readonly items?: Schema
  readonly required?: readonly string[]
  readonly readOnly?: boolean
  readonly pattern?: string
}

/** A method on a path. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Path with names for its variable segments, such as `/accounts/{id}`. */
  readonly template: string
  /** Names of query parameters; `filters` stands for a filter of any attribute. */
  readonly parameters: readonly string[]
  readonly body?: Schema
  readonly example?: Json
  /** Schema of the objects in answers, for the names of their attributes. */
  readonly answers?: Schema
}

interface Document {
  readonly paths: { readonly [path: string]: { readonly [method: string]: DocumentOperation } }
  readonly components: { readonly schemas: { readonly [name: string]: Schema } }
}

interface DocumentOperation {
  readonly parameters?: readonly {
    readonly $ref?: string
    readonly name?: string
    readonly schema?: Schema
  }[]
  readonly requestBody?: {
    readonly content: { readonly [type: string]: { readonly schema?: Schema; readonly example?: Json } }
  }
  readonly responses: {
    readonly 200?: { readonly content?: { readonly [type: string]: { readonly schema?: Schema } } }
  }
}

const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const
const JSON_TYPE = 'application/json'
const registry = registryOf(resources, Object.values(adminOperations))

/** The OpenAPI document, converted to JSON and back, as clients read it. */
const document: Document = JSON.parse(JSON.stringify(documentOf(registry)))

/** Name of the objects in a collection, by the collection's path segment; undefined if there is none. */
export function resourceAt(segment: string): string | undefined {
  return registry.byPath(segment)?.name
}

/** Paths that the core does not handle. */
const SERVICE = ['/healthz', '/openapi.json', '/oauth/token', '/oauth/revoke']

export const operations: readonly Operation[] = Object.entries(document.paths)
  .filter(([template]) => !SERVICE.includes(template))
  .flatMap(([template, methods]) =>
    METHODS.flatMap((method) => {
      const operation = methods[method.toLowerCase()]
      return operation ? [operationOf(template, method, operation)] : []
    }),
  )

function operationOf(
  template: string,
  method: Operation['method'],
  { parameters = [], requestBody, responses }: DocumentOperation,
): Operation {
  const { schema, example } = requestBody?.content[JSON_TYPE] ?? {}
  const answers = responses[200]?.content?.[JSON_TYPE]?.schema
  return {
    method,
    template,
    parameters: parameters.flatMap(({ $ref = '', name, schema }) =>
      schema?.$ref?.includes('/Filter') ? [] : [name ?? $ref.slice($ref.lastIndexOf('/') + 1)],
    ),
    ...(schema ? { body: schema } : {}),
    ...(example === undefined ? {} : { example }),
    ...(answers ? { answers } : {}),
  }
}

/** The schema itself, or the schema that it refers to by `$ref`. */
export function schemaAt(schema: Schema): Schema {
  if (schema.$ref === undefined) return schema
  return document.components.schemas[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)] ?? {}
}
