import type { ApiResponse } from '../../../engine/core/request/request.js'
import { parseName } from '../../../schema/attribute-name.js'
import { isObject, type Json, type JsonObject } from '../../../schema/json.js'

/** The objects of a list's answer. */
export function objectsOf({ body }: ApiResponse): readonly JsonObject[] {
  const { values } = body
  return Array.isArray(values) ? values.filter(isObject) : []
}

/** The value of an attribute by its name in bracket form. In grouped lists, the whole name is one key of the row. */
export function valueIn(row: JsonObject, name: string): Json | undefined {
  if (row[name] !== undefined) return row[name]
  let value: Json | undefined = row
  for (const part of parseName(name) ?? []) value = isObject(value) ? value[part] : undefined
  return value
}
