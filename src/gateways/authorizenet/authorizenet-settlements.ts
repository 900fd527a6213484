import { datetimeOf } from '../../schema/datetime.js'
import { amountIn, CURRENCY } from '../../schema/money.js'
import type { Input } from '../../schema/types.js'
import type { GatewaySettlement, GatewaySettlementLine, Rail } from '../contract.js'
import { UnknownOutcome } from '../unknown-outcome.js'
import { textIn } from './authorizenet-api.js'
import type { AuthorizeNetLists } from './authorizenet-lists.js'
import { phaseOf } from './authorizenet-transaction.js'

const DAY = 86_400_000
/** Days that the first look covers. */
const FIRST_DAYS = 31

/** Statuses of transactions that move money in a batch, and whether the merchant receives it. */
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
 * The settled batches since the cursor, which is the time of the last one. Batches of the day before it are returned
 * again, with the same id, as one may be listed late. The gateway reports no fees and no net, as it settles without
 * paying out.
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
 * Line of a transaction; undefined for one that moved no money: declines, voids, errors. Throws `UnknownOutcome` for a
 * status that is not documented, and for a line without id or amount.
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
  // Without a reference of ours the invoice number says whose transaction it is.
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
