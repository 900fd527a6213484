import type { InputPlace, InputPlaces, ResourceModel } from '../../../model/resource-model.js'
import type { Row, SecretColumns, Stored } from '../../../schema/columns.js'
import type { Fields, ManyField, OneField } from '../../../schema/field.js'
import { type Input, isTree } from '../../../schema/types.js'
import { isMask, maskDigits } from '../../../schema/wire.js'
import type { Vault } from '../../store/vault/vault.js'

/** Related object or list in an input tree, with its path. */
export type RelatedInput =
  | {
      readonly kind: 'one'
      readonly field: OneField
      readonly path: readonly string[]
      readonly input: Input | null
    }
  | {
      readonly kind: 'many'
      readonly field: ManyField
      readonly path: readonly string[]
      readonly inputs: Input[]
    }

/** Row whose columns are being filled, and the results so far. */
interface Flattening {
  readonly table: string
  readonly id: string
  readonly vault: Vault
  readonly columns: Row
  readonly related: RelatedInput[]
}

/**
 * Puts the row's own columns of an input tree into `columns`, with secrets encrypted for this row. Returns
 * the related objects and lists in the tree.
 */
export function flatten(
  resource: ResourceModel,
  id: string,
  input: Input,
  vault: Vault,
  columns: Row,
): readonly RelatedInput[] {
  const flattening: Flattening = { table: resource.table, id, vault, columns, related: [] }
  placeAll(flattening, resource.places, input)
  return flattening.related
}

function placeAll(flattening: Flattening, known: InputPlaces, tree: Input): void {
  for (const name of Object.keys(tree)) {
    const value = tree[name]
    const found = value === undefined ? undefined : known.get(name)
    if (found) place(flattening, found, value)
  }
}

function place(
  flattening: Flattening,
  { field, path, column, secret, inner }: InputPlace,
  value: unknown,
): void {
  const { columns, related } = flattening
  switch (field.kind) {
    case 'id':
    case 'constant':
    case 'alias':
    case 'derived':
    case 'address':
      break
    case 'group':
      placeAll(flattening, inner, isTree(value) ? value : emptied(field.fields))
      break
    case 'one':
      related.push({ kind: 'one', field, path, input: isTree(value) ? value : null })
      break
    case 'many':
      related.push({ kind: 'many', field, path, inputs: Array.isArray(value) ? value.filter(isTree) : [] })
      break
    case 'secret':
      placeSecret(flattening, secret, value)
      break
    case 'json':
    case 'rows':
      columns[column] = value === null ? null : JSON.stringify(value)
      break
    default:
      columns[column] = isStored(value) ? value : null
  }
}

/** Input that empties each column of a group, for a group set to null; related objects stay. */
export function emptied(fields: Fields): Input {
  const own = Object.entries(fields).filter(([, field]) => field.kind !== 'one' && field.kind !== 'many')
  return Object.fromEntries(own.map(([name]) => [name, null]))
}

function placeSecret(
  { table, id, vault, columns }: Flattening,
  { sealed, hash, mask }: SecretColumns,
  value: unknown,
): void {
  if (isMask(value)) return
  const digits = value === null ? null : String(value)
  columns[sealed] = digits === null ? null : vault.seal(digits, { table, column: sealed, id })
  columns[hash] = digits === null ? null : vault.hashNumber(digits, sealed)
  columns[mask] = digits === null ? null : maskDigits(digits)
}

function isStored(value: unknown): value is Stored {
  return value === null || typeof value === 'string' || typeof value === 'number'
}
