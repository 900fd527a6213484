import { datetimeOf } from '../../schema/datetime.js'
import { type Input, isTree } from '../../schema/types.js'
import type { Credentials, FoundOperation, Rail } from '../contract.js'
import { UnknownOutcome } from '../unknown-outcome.js'
import { operationThatMade } from './peer-notices.js'
import { peerTransaction } from './peer-transaction.js'

const PAGE = 100

/** The operation that made a listed transaction, if it has our reference. */
function ownOperation(value: unknown): readonly FoundOperation[] {
  const found = isTree(value) ? peerTransaction(value) : undefined
  const operation = found?.reference === undefined ? undefined : operationThatMade(found)
  return operation ? [operation] : []
}

/** Current state of our transactions at a peer since a moment. Throws `UnknownOutcome`. */
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
