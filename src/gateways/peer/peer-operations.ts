import { datetimeOf } from '../../schema/datetime.js'
import { type Input, isTree } from '../../schema/types.js'
import type { Credentials, Rail } from '../contract.js'
import { UnknownOutcome } from '../unknown-outcome.js'
import { operationThatMade } from './peer-notices.js'
import { peerTransaction } from './peer-transaction.js'

const PAGE = 100

/** Every transaction of a peer since a moment that we have made there, as it is now. Throws `UnknownOutcome`. */
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
      for (const value of values.filter(isTree)) {
        const found = peerTransaction(value)
        const operation = found?.reference === undefined ? undefined : operationThatMade(found)
        if (operation) yield operation
      }
      isLast = values.length < PAGE
    }
  }
}
