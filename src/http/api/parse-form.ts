import { ApiError } from '../../engine/core/request/api-error.js'
import type { Json, JsonObject } from '../../schema/json.js'
import type { Limits } from './http-limits.js'
import { refuseForbidden, tooDeep } from './parse-json.js'
import { parseQueryString } from './request-target.js'

/** Index of a list in a form. Lists are packed, so a large index allocates no memory. */
const INDEX = /^(0|[1-9]\d{0,8})$/

interface Branch {
  readonly kind: 'branch'
  readonly inner: Map<string, Branch | Leaf>
  /** The index for which the next `[]` stands. */
  next: number
}

interface Leaf {
  readonly kind: 'leaf'
  /** More than one when the name was repeated. */
  readonly values: string[]
}

/** Reads form fields; nested attributes have brackets in their names. Throws `BadRequest`. Spec: "Endpoints". */
export function parseForm(text: string, limits: Limits): Json {
  return jsonOfFields(parseQueryString(text, limits.fields), limits.depth)
}

/**
 * Builds the object that fields with brackets describe, or a list if all names are indexes. A repeated name is a list
 * of its values. `object=list&[0][name]=…` is the list that `{object: list, values: […]}` writes. Throws `BadRequest`
 * when a name is both a value and an object.
 */
export function jsonOfFields(
  fields: readonly (readonly [name: string, value: string])[],
  depth: number,
): Json {
  const root = branch()
  for (const [name, value] of fields) insert(root, partsOf(name, depth), value)
  return listOf(jsonOf(root))
}

function listOf(tree: Json): Json {
  if (tree === null || typeof tree !== 'object' || Array.isArray(tree) || tree.object !== 'list') return tree
  const { object, ...rest } = tree
  const values = Object.entries(rest)
  const isIndexed = values.length > 0 && values.every(([name]) => /^\d+$/.test(name))
  return isIndexed ? { object, values: values.map(([, value]) => value) } : tree
}

function branch(): Branch {
  return { kind: 'branch', inner: new Map(), next: 0 }
}

function insert(root: Branch, parts: readonly string[], value: string): void {
  let at = root
  for (const [index, part] of parts.entries()) {
    const name = nameIn(at, part)
    const isLast = index === parts.length - 1
    const found = at.inner.get(name) ?? (isLast ? { kind: 'leaf' as const, values: [] } : branch())
    if (isLast !== (found.kind === 'leaf')) throw bothKinds(parts.slice(0, index + 1))
    at.inner.set(name, found)
    if (found.kind === 'leaf') found.values.push(value)
    else at = found
  }
}

/**
 * The parts of a form field's name: `payment_method[card][expiry]`, `[0][name]`, and the spec's `[0]name`. An empty
 * part (`ids[]`) means the next index of a list. Throws `BadRequest` when brackets do not match or the name has more
 * than `depth` parts.
 */
function partsOf(name: string, depth: number): string[] {
  const parts: string[] = []
  const part = /\[([^[\]]*)\]|([^[\]]+)/y
  while (part.lastIndex < name.length) {
    const match = part.exec(name)
    if (!match) throw new ApiError('BadRequest', 'The body has a field name whose brackets do not match')
    parts.push((match[1] ?? match[2] ?? '').trim())
    if (parts.length > depth) throw tooDeep(depth)
  }
  if (parts.length === 0) throw new ApiError('BadRequest', 'The body has a field without a name')
  parts.forEach(refuseForbidden)
  return parts
}

function nameIn(at: Branch, part: string): string {
  const name = part === '' ? String(at.next) : part
  if (INDEX.test(name)) at.next = Math.max(at.next, Number(name) + 1)
  return name
}

function bothKinds(parts: readonly string[]): ApiError {
  const [head = '', ...rest] = parts
  const name = head + rest.map((part) => `[${part}]`).join('')
  return new ApiError('BadRequest', `The body gives ${name} both as a value and as an object`)
}

function jsonOf(node: Branch | Leaf): Json {
  if (node.kind === 'leaf') return node.values.length === 1 ? (node.values[0] ?? '') : node.values
  const entries = [...node.inner]
  if (entries.length > 0 && entries.every(([name]) => INDEX.test(name))) return packed(entries)
  const object: JsonObject = Object.fromEntries(entries.map(([name, inner]) => [name, jsonOf(inner)]))
  return object
}

function packed(entries: [string, Branch | Leaf][]): Json {
  return entries.sort(([one], [other]) => Number(one) - Number(other)).map(([, inner]) => jsonOf(inner))
}
