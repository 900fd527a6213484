import type { Work } from '../../engine/core/write/work.js'
import type { Environment } from '../../engine/store/database/store.js'
import type { GatewaySettlement, GatewaySettlementLine } from '../../gateways/contract.js'
import { millisecondsOf } from '../../schema/datetime.js'

const DAY = 86_400_000
/**
 * Milliseconds by which a settlement may be ahead of our clock. In the test environment, operators move the clocks of
 * both sides.
 */
const AHEAD: Readonly<Record<Environment, number>> = { live: 7 * DAY, test: 1_000 * DAY }
const DATETIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/
/** Ids of a gateway that can be stored: without control characters, which a database may refuse. */
const ID = /^[^\p{C}]{1,255}$/u
const CURRENCY = /^[A-Za-z]{3}$/

/**
 * Reason why settlements of a gateway are not stored; undefined if there is none. A settlement from the distant future
 * would move the cursor past all later settlements.
 */
export function oddityIn(
  batches: readonly GatewaySettlement[],
  { environment, milliseconds, realMilliseconds }: Work,
): string | undefined {
  const latest = Math.max(milliseconds, realMilliseconds) + AHEAD[environment]
  for (const { id, settledAt, gross, fees, net, currency, lines } of batches) {
    if (!isId(id)) return 'A settlement has no id'
    if (settledAt !== null && !isDatetime(settledAt)) return `The settlement ${id} has no time`
    if (settledAt !== null && millisecondsOf(settledAt) > latest)
      return `The settlement ${id} is of ${settledAt}, which is in the future`
    if (typeof currency !== 'string' || !CURRENCY.test(currency))
      return `The settlement ${id} has no currency`
    if (![gross, fees, net].every(isSumOrNull) || !lines.every(isLine))
      return `The settlement ${id} has a line or a sum that cannot be read`
  }
  return undefined
}

function isDatetime(text: string): boolean {
  return DATETIME.test(text) && Number.isFinite(millisecondsOf(text))
}

function isLine(line: GatewaySettlementLine): boolean {
  const { id, amount, fee, reference, refNumber, gatewayId, parentId, type } = line
  const names = [reference, refNumber, gatewayId, parentId, type]
  return (
    isId(id) && isSum(amount) && isSumOrNull(fee) && names.every((each) => each === undefined || isId(each))
  )
}

function isId(id: unknown): boolean {
  return typeof id === 'string' && ID.test(id)
}

function isSum(value: unknown): boolean {
  return Number.isSafeInteger(value)
}

function isSumOrNull(value: unknown): boolean {
  return value === null || isSum(value)
}
