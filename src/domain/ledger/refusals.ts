import { ApiError } from '../../engine/core/request/errors.js'
import type { Transaction } from './stored-transaction.js'

/** Another operation on the transaction has no outcome yet. Money: "Refunds, voids, disputes", 4. */
export function busy({ id }: Pick<Transaction, 'id'>): ApiError {
  return new ApiError('Conflict', `Another operation on ${id} has no outcome yet; try again when it has one`)
}
