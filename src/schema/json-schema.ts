/** JSON that nobody changes any more. */
export type ReadonlyJson = null | boolean | number | string | readonly ReadonlyJson[] | ReadonlyJsonObject
export type ReadonlyJsonObject = { readonly [key: string]: ReadonlyJson }

/** A JSON schema (2020-12), as OpenAPI 3.1 takes it. */
export type Schema = ReadonlyJsonObject

/** A reference to a component of the document. */
export function component(
  kind: 'schemas' | 'responses' | 'parameters' | 'headers',
  name: string,
): ReadonlyJsonObject {
  return { $ref: `#/components/${kind}/${name}` }
}

/** The same schema, for a value that may also be nothing. */
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

/** The schema with what is known of the field; `$ref` and keywords stand together in OpenAPI 3.1. */
export function described(schema: Schema, doc: string | undefined): Schema {
  return doc === undefined ? schema : { ...schema, description: doc }
}

/** An object with these attributes and no others. */
export function closed(properties: { readonly [name: string]: Schema }, required: readonly string[]): Schema {
  return {
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  }
}
