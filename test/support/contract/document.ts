import { adminOperations } from '../../../src/resources/admin/admin-operations.js'
import { resources } from '../../../src/resources/resource-table.js'
import { documentOf } from '../../../src/schema/openapi/document.js'
import { registryOf } from '../../../src/schema/registry.js'

/** The parts of an OpenAPI document that checks of answers need. */
export interface Document {
  readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } }
  readonly components: {
    readonly responses: { readonly [name: string]: Response }
    readonly schemas: { readonly [name: string]: Schema }
  }
}

export interface Operation {
  readonly operationId: string
  readonly parameters?: readonly { readonly in?: string; readonly name?: string }[]
  readonly responses: { readonly [status: string]: Response | Reference }
}

export interface Response {
  readonly headers: { readonly [name: string]: object }
  readonly content: { readonly 'application/json': { readonly schema: Schema } }
}

export interface Reference {
  readonly $ref: string
}

export interface Schema {
  readonly $ref?: string
  readonly anyOf?: readonly Schema[]
  readonly properties?: { readonly [name: string]: Schema }
  readonly items?: Schema
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean
}

export const registry = registryOf(resources, Object.values(adminOperations))

/** The document as a client reads it. */
export const document: Document = JSON.parse(JSON.stringify(documentOf(registry)))

/**
 * Template of a path, such as `/accounts/{id}`; the one with the most literal segments if several match.
 * Templates do not end with a slash.
 */
export function templateOf(path: string): string | undefined {
  const segments = segmentsOf(path)
  return templates.find(
    ({ parts }) =>
      parts.length === segments.length &&
      parts.every((part, at) => part === segments[at] || part.startsWith('{')),
  )?.template
}

const templates = Object.keys(document.paths)
  .filter((template) => !template.endsWith('/'))
  .sort((a, b) => literals(b).localeCompare(literals(a)))
  .map((template) => ({ template, parts: segmentsOf(template) }))

/**
 * One digit per segment of a template: 1 if literal, 0 if a parameter. `/accounts/{id}` gives `10`; the greater
 * text wins.
 */
function literals(template: string): string {
  return segmentsOf(template)
    .map((part) => (part.startsWith('{') ? '0' : '1'))
    .join('')
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '')
}

/** Returns the response that a reference names, or the response itself if it is no reference. */
export function resolve(response: Response | Reference): Response {
  if (!('$ref' in response)) return response
  const found = document.components.responses[nameOf(response.$ref)]
  if (!found) throw new Error(`There is no ${response.$ref}`)
  return found
}

/** Returns the schema that a reference names, or the schema itself if it is no reference. */
export function schemaAt(schema: Schema): Schema {
  if (schema.$ref === undefined) return schema
  const found = document.components.schemas[nameOf(schema.$ref)]
  if (!found) throw new Error(`There is no ${schema.$ref}`)
  return found
}

function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1)
}
