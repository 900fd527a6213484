import type { ResourceModel } from '../../../model/resource-model.js'
import type { RowValues, Stored } from '../../../schema/columns.js'
import { parsedJson } from '../../../schema/json.js'
import { type Place, SealBroken, type Vault } from '../../store/vault/vault.js'
import { isSealedCursor, type Order } from '../query/query.js'
import { ApiError } from '../request/api-error.js'

/** Maximum bytes of the values in a cursor. Servers refuse addresses that are several times as long. */
const MAX_CURSOR = 4_000

/**
 * Cursor of a page's end: the values by which its last row was ordered, the id last. It is encrypted, so
 * that it cannot be forged and logs of addresses contain no texts. For long values it has only the id; the
 * next page then begins at the row's current place.
 */
export function sealedCursor(
  vault: Vault,
  resource: ResourceModel,
  order: readonly Order[],
  values: RowValues,
): string {
  const text = JSON.stringify(values)
  const short = Buffer.byteLength(text) > MAX_CURSOR ? JSON.stringify(values.slice(-1)) : text
  return vault.seal(short, placeOf(resource, order))
}

/**
 * Values in a cursor, or only the id. Throws `BadRequest` for a cursor that is damaged, or of another
 * order.
 */
export function openedCursor(
  vault: Vault,
  resource: ResourceModel,
  order: readonly Order[],
  cursor: string,
): RowValues {
  if (!isSealedCursor(cursor)) return [cursor]
  const values = parsedJson(opened(vault, cursor, placeOf(resource, order)))
  if (Array.isArray(values) && values.every(isStored)) return values
  throw damaged()
}

function opened(vault: Vault, cursor: string, place: Place): string {
  try {
    return vault.open(cursor, place)
  } catch (error) {
    if (error instanceof SealBroken) throw damaged()
    throw error
  }
}

function damaged(): ApiError {
  return new ApiError('BadRequest', 'after is damaged, or of a list in another order', {
    after: 'Must be that of the link to the next page',
  })
}

/** Place to which a cursor is bound: one order of one table. */
function placeOf({ table }: ResourceModel, order: readonly Order[]): Place {
  return {
    table,
    column: 'after',
    id: order.map(({ value, direction }) => `${direction} ${value.name}`).join(),
  }
}

function isStored(value: unknown): value is Stored {
  return value === null || typeof value === 'string' || typeof value === 'number'
}
