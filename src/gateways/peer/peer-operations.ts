import { datetimeOf } from '../../schema/datetime.js'
import type { Input } from '../../schema/types.js'
import type { Credentials, FoundOperation, Rail } from '../contract.js'
import { UnknownOutcome } from '../unknown-outcome.js'
import { operationThatMade } from './peer-notices.js'
import { peerTransaction, referenceIn } from './peer-transaction.js'

const PAGE = 100

/**
 * The operation that made a listed transaction; an empty list without our reference. Throws `UnknownOutcome` for an
 * invalid transaction.
 */
function ownOperation(value: unknown): readonly FoundOperation[] {
  if (referenceIn(value) === undefined) return []
  const found = peerTransaction(value)
  if (!found) throw new UnknownOutcome(`The peer's state of ${referenceIn(value)} is unknown`)
  const operation = operationThatMade(found)
  return operation ? [operation] : []
}

/**
 * Current state of our transactions at a peer since a time (milliseconds since 1970). Throws `UnknownOutcome` for an
 * invalid list.
 */
export function peerOperations(
  read: (path: string, credentials: Credentials) => Promise<Input>,
): NonNullable<Rail['operations']> {
  return async function* operations(since, credentials) {
    const from = encodeURIComponent(`>=${datetimeOf(since)}`)
    let isLast = false
    for (let offset = 0; !isLast; offset += PAGE) {
      const query = `type=payment|refund|credit&created_at=${from}&order_by=created_at,id&limit=${PAGE}&offset=${offset}`
      const { values } = await read(`/transactions?${query}`, credentials)
      if (!Array.isArray(values)) throw new UnknownOutcome('The peer answers no list')
      yield* values.flatMap(ownOperation)
      isLast = values.length < PAGE
    }
  }
}
