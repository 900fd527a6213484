import { datetimeOf } from '../../schema/datetime.js'
import { amountIn, CURRENCY } from '../../schema/money.js'
import type { Input } from '../../schema/types.js'
import type { GatewaySettlement, GatewaySettlementLine, Rail } from '../contract.js'
import { UnknownOutcome } from '../unknown-outcome.js'
import { textIn } from './authorizenet-api.js'
import type { AuthorizeNetLists } from './authorizenet-lists.js'
import { phaseOf } from './authorizenet-transaction.js'

const DAY = 86_400_000
/** Days that the first call covers. */
const FIRST_DAYS = 31

/**
 * Kind of settlement line, by the status of a transaction that moves money. `sign` is 1 if the merchant
 * receives the money, -1 if the merchant pays it.
 */
const LINES: ReadonlyMap<string, { readonly kind: GatewaySettlementLine['kind']; readonly sign: 1 | -1 }> =
  new Map(
    Object.entries({
      settledSuccessfully: { kind: 'payment', sign: 1 },
      refundSettledSuccessfully: { kind: 'refund', sign: -1 },
      returnedItem: { kind: 'return', sign: -1 },
      chargeback: { kind: 'chargeback', sign: -1 },
      chargebackReversal: { kind: 'chargeback_reversal', sign: 1 },
    } as const),
  )

/**
 * Settled batches since the cursor, which is the time of the last batch. Batches of the day before are returned again
 * with the same ids, because one may be listed late. Fees and net are null: the gateway settles transactions but does
 * not pay out.
 */
export function authorizeNetSettlements(
  lists: AuthorizeNetLists,
  now: () => number,
): NonNullable<Rail['settlements']> {
  return async (cursor, credentials, since = 0) => {
    const to = now()
    const from = Math.max(cursor === null ? to - FIRST_DAYS * DAY : Date.parse(cursor) - DAY, since)
    const settled = (await lists.batches({ from, to }, credentials)).filter(({ isSettled }) => isSettled)
    const batches: GatewaySettlement[] = []
    for (const { id, settledAt } of settled) {
      const rows = await lists.inBatch(id, credentials)
      if (!rows) throw new UnknownOutcome(`The batch ${id} changed while it was read`)
      const lines = rows.map(lineOf).filter((line) => line !== undefined)
      const gross = lines.reduce((sum, { amount }) => sum + amount, 0)
      const money = { currency: CURRENCY, gross, fees: null, net: null }
      batches.push({ id, settledAt: datetimeOf(settledAt), ...money, merchant: credentials.merchant, lines })
    }
    const last = settled.at(-1)?.settledAt
    return { batches, cursor: last === undefined ? cursor : new Date(last).toISOString() }
  }
}

/**
 * Settlement line of a transaction; undefined if it moved no money (declined, voided, failed). Throws
 * `UnknownOutcome` for an undocumented status, and for a line without id or amount.
 */
function lineOf(row: Input): GatewaySettlementLine | undefined {
  const status = textIn(row, 'transactionStatus')
  const line = LINES.get(status ?? '')
  if (!line && phaseOf(status) !== undefined) return undefined
  const id = textIn(row, 'transId')
  const amount = amountIn(row.settleAmount)
  if (!line || id === undefined || amount === undefined)
    throw new UnknownOutcome(`A batch has a transaction that is ${status ?? 'without a status'}`)
  const { kind, sign } = line
  // The list has no reference of ours. The invoice number is our `ref_number`.
  const refNumber = textIn(row, 'invoiceNumber')
  return {
    id,
    kind,
    gatewayId: id,
    ...(refNumber !== undefined && { refNumber }),
    amount: sign * Math.abs(amount),
    fee: null,
    type: status,
  }
}
