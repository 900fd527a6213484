/** JSON that is never changed. */
export type ReadonlyJson = null | boolean | number | string | readonly ReadonlyJson[] | ReadonlyJsonObject
export type ReadonlyJsonObject = { readonly [key: string]: ReadonlyJson }

/** JSON schema (2020-12), as used in OpenAPI 3.1. */
export type Schema = ReadonlyJsonObject

/** Reference to a component of the document. */
export function component(
  kind: 'schemas' | 'responses' | 'parameters' | 'headers',
  name: string,
): ReadonlyJsonObject {
  return { $ref: `#/components/${kind}/${name}` }
}

/** Schema for a value that may also be null. */
export function orNull(schema: Schema): Schema {
  const { type, enum: values } = schema
  if (type === undefined) return { anyOf: [schema, NULL] }
  return {
    ...schema,
    type: Array.isArray(type) ? [...type, 'null'] : [type, 'null'],
    ...(Array.isArray(values) && { enum: [...values, null] }),
  }
}
const NULL: Schema = { type: 'null' }

/** Schema with a description. In OpenAPI 3.1, `$ref` may have other keywords beside it. */
export function described(schema: Schema, doc: string | undefined): Schema {
  return doc === undefined ? schema : { ...schema, description: doc }
}

/** Schema of an object with exactly these attributes. */
export function closed(properties: { readonly [name: string]: Schema }, required: readonly string[]): Schema {
  return {
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  }
}
