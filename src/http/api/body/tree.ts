import { ApiError } from '../../../engine/core/request/errors.js'
import type { Json, JsonObject } from '../../../engine/core/request/json.js'
import { partsOf } from './name.js'

/** Largest index of a list in a form; lists are packed, so a large index allocates nothing. */
const INDEX = /^(0|[1-9]\d{0,8})$/

interface Branch {
  readonly kind: 'branch'
  readonly inner: Map<string, Branch | Leaf>
  /** The index that the next `[]` gets. */
  next: number
}

interface Leaf {
  readonly kind: 'leaf'
  /** More than one when the name was repeated. */
  readonly values: string[]
}

/**
 * Builds the object that form fields with brackets describe; where all names are indexes, a list. A repeated name
 * is a list of its values. Throws `BadRequest` when a name is both a value and an object.
 */
export function treeOf(fields: readonly (readonly [name: string, value: string])[], depth: number): Json {
  const root = branch()
  for (const [name, value] of fields) plant(root, partsOf(name, depth), value)
  return shape(root)
}

function branch(): Branch {
  return { kind: 'branch', inner: new Map(), next: 0 }
}

function plant(root: Branch, parts: readonly string[], value: string): void {
  let at = root
  for (const [index, part] of parts.entries()) {
    const name = nameWithin(at, part)
    const last = index === parts.length - 1
    const found = at.inner.get(name) ?? (last ? { kind: 'leaf' as const, values: [] } : branch())
    if (last !== (found.kind === 'leaf')) throw bothKinds(parts.slice(0, index + 1))
    at.inner.set(name, found)
    if (found.kind === 'leaf') found.values.push(value)
    else at = found
  }
}

function nameWithin(at: Branch, part: string): string {
  const name = part === '' ? String(at.next) : part
  if (INDEX.test(name)) at.next = Math.max(at.next, Number(name) + 1)
  return name
}

function bothKinds(parts: readonly string[]): ApiError {
  const [head = '', ...rest] = parts
  const name = head + rest.map((part) => `[${part}]`).join('')
  return new ApiError('BadRequest', `The body gives ${name} both as a value and as an object`)
}

function shape(node: Branch | Leaf): Json {
  if (node.kind === 'leaf') return node.values.length === 1 ? (node.values[0] ?? '') : node.values
  const entries = [...node.inner]
  if (entries.length > 0 && entries.every(([name]) => INDEX.test(name))) return list(entries)
  const shaped: JsonObject = Object.fromEntries(entries.map(([name, inner]) => [name, shape(inner)]))
  return shaped
}

function list(entries: [string, Branch | Leaf][]): Json {
  return entries.sort(([one], [other]) => Number(one) - Number(other)).map(([, inner]) => shape(inner))
}
