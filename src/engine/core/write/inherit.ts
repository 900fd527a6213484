import { defaultInput } from '../../../model/input/field-input.js'
import { columnName, type Row } from '../../../schema/columns.js'
import { type Field, type Fields, isValueField, type OneField } from '../../../schema/field.js'
import { type Input, isTree } from '../../../schema/types.js'
import type { Engine } from './engine.js'
import { refuseReadonly } from './readonly.js'

/**
 * Input for a new object that replaces another one: the attributes that were sent, completed by attributes of
 * the replaced object. Read-only attributes keep the values of the replaced object. Without a replaced object
 * the declaration's defaults apply.
 */
export async function inheritedInput(
  work: Engine,
  { to, inherits }: OneField,
  replacedId: Row[string],
  input: Input,
): Promise<Input> {
  if (!inherits) return input
  const target = work.model.get(to)
  const replaced = typeof replacedId === 'string' ? await work.findRow(target, replacedId) : undefined
  if (!replaced) return overlaid(defaultInput(target.attributes), input)
  const { now, principal } = work
  refuseReadonly(target, replaced, input, { manage: principal.manage, now })
  return overlaid(inputOfRow(target.attributes, replaced, []), input)
}

function overlaid(below: Input, above: Input): Input {
  const whole = { ...below }
  for (const [name, value] of Object.entries(above)) {
    const inner = whole[name]
    if (value !== undefined) whole[name] = isTree(value) && isTree(inner) ? overlaid(inner, value) : value
  }
  return whole
}

/**
 * Input from which a copy of the row would be made. Secrets are left out, because they are encrypted for
 * their row.
 */
function inputOfRow(fields: Fields, row: Row, path: readonly string[]): Input {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const value = inputValueOf(field, row, [...path, name])
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

function inputValueOf(field: Field, row: Row, path: readonly string[]): unknown {
  if (field.kind === 'group') return inputOfRow(field.fields, row, path)
  if (!isValueField(field) || field.transient || field.kind === 'id' || field.kind === 'secret')
    return undefined
  const stored = row[columnName(path)] ?? null
  if (path[0] === 'created_at' || path[0] === 'modified_at') return undefined
  return typeof stored === 'string' && (field.kind === 'json' || field.kind === 'rows')
    ? JSON.parse(stored)
    : stored
}
