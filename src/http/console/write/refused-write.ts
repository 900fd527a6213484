import type { ApiResponse } from '../../../engine/core/request/request.js'
import type { Json } from '../../../schema/json.js'
import { isTree } from '../../../schema/types.js'

/** A refusal of the core, in the terms of a form. */
export interface WriteRefusal {
  /** Problem of the write as a whole. */
  readonly problem: string | undefined
  /** Problems of fields, by their names. */
  readonly errors: ReadonlyMap<string, string>
}

/** Assigns the problems in a refusal to the fields of the same names; all other problems form one text. */
export function writeRefusal({ body }: ApiResponse, names: readonly string[]): WriteRefusal {
  const details = isTree(body.details) ? body.details : {}
  const description = String(body.error_description ?? 'It was refused')
  if (body.error_type !== 'InvalidAttributes') return { problem: sentence(description), errors: new Map() }
  const leaves = leavesOf(details, '')
  const errors = new Map(leaves.filter(([path]) => names.includes(path)))
  const others = leaves.filter(([path]) => !names.includes(path)).map(([, text]) => sentence(text))
  return { problem: others.length > 0 ? others.join(' ') : undefined, errors }
}

function leavesOf(value: Json, path: string): (readonly [path: string, text: string])[] {
  if (!isTree(value)) return [[path, String(value)]]
  return Object.entries(value).flatMap(([name, inner]) =>
    leavesOf(inner, path === '' ? name : `${path}.${name}`),
  )
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}
