import type { Json } from '../../../engine/core/request/json.js'
import type { Limits } from '../wire/limits.js'
import { parseQueryString } from '../wire/query-string.js'
import { treeOf } from './tree.js'

/** Reads form fields, with brackets for what is nested. Throws `BadRequest`. Spec: "Endpoints". */
export function parseForm(text: string, limits: Limits): Json {
  return objectOf(treeOf(parseQueryString(text, limits.fields), limits.depth))
}

/** `object=list&[0][name]=…` is the list that `{object: list, values: […]}` writes. */
export function objectOf(tree: Json): Json {
  if (tree === null || typeof tree !== 'object' || Array.isArray(tree) || tree.object !== 'list') return tree
  const { object, ...rest } = tree
  const values = Object.entries(rest)
  const indexed = values.length > 0 && values.every(([name]) => /^\d+$/.test(name))
  return indexed ? { object, values: values.map(([, value]) => value) } : tree
}
