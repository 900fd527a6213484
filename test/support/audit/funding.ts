import type { ProcessingSettingsRow, TransactionRow } from '../../../src/engine/store/database/tables.js'
import { settingsByAccount } from './fees.js'
import { grouped, type Kept } from './kept.js'
import { isBatch } from './ledger.js'
import { isTaken } from './status.js'

/** Fees of the transactions in a settlement, in minor units. */
export interface Charged {
  readonly convFee: number
  readonly fee: number
  readonly accrued: number
}

/** The fees of the transactions in each settlement, by its id. */
export function chargedBy(transactions: readonly TransactionRow[]): Map<string, Charged> {
  const groups = grouped(
    transactions.filter(({ charged_by: by }) => by !== null),
    ({ charged_by: by }) => by ?? '',
  )
  return new Map(
    [...groups].map(([id, rows]) => [
      id,
      {
        convFee: rows
          .filter(({ type }) => type === 'payment')
          .reduce((sum, row) => sum + (row.conv_fee ?? 0), 0),
        fee: rows.filter((row) => !isBatch(row)).reduce((sum, row) => sum + (row.fee ?? 0), 0),
        accrued: rows.reduce((sum, row) => sum + (row.accrued_fee ?? 0), 0),
      },
    ]),
  )
}

export const NOTHING_CHARGED: Charged = { convFee: 0, fee: 0, accrued: 0 }

/** A settlement's own fees: all its fees less those of its transactions. */
export function ownFee({ fee, accrued_fee: carried }: TransactionRow, charged: Charged): number {
  return (fee ?? 0) + (carried ?? 0) - charged.fee - charged.accrued
}

/**
 * Checks that a deposit contains the fee of each of its payments once, and its own fee by the account's current
 * settings. A monthly bill contains the monthly fee, and is at least the minimum. See docs/money.md, "Fees".
 */
export function fundingProblems(kept: Kept): string[] {
  const { transactions } = kept
  const charged = chargedBy(transactions)
  const settingsOf = settingsByAccount(kept)
  const byId = new Map(transactions.map((row) => [row.id, row]))
  const entriesOf = grouped(kept.entries, ({ transaction_id: id }) => id ?? '')
  return [
    ...transactions.flatMap((row) => chargeProblems(row, byId)),
    ...transactions.filter(isBatch).flatMap((row) => {
      const settings = settingsOf.get(row.processing_id ?? '')
      if (!settings) return [`${row.id} has no settings`]
      const own = ownFee(row, charged.get(row.id) ?? NOTHING_CHARGED)
      const expected = isDay(row)
        ? ((entriesOf.get(row.id) ?? []).length > 0 && (settings.batch_fee ?? 0)) || 0
        : monthsFee(row, settings, transactions)
      return own === expected ? [] : [`${row.id} has a fee of its own of ${own}, not ${expected}`]
    }),
  ]
}

function isDay({ period }: TransactionRow): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(period ?? '')
}

function monthsFee(
  bill: TransactionRow,
  { monthly_processing_fee: monthly, minimum_bill: minimum }: ProcessingSettingsRow,
  transactions: readonly TransactionRow[],
): number {
  const days = transactions.filter(
    (row) =>
      isDay(row) && row.processing_id === bill.processing_id && row.period?.startsWith(bill.period ?? '-'),
  )
  const taken = days.reduce((sum, { fee }) => sum + (fee ?? 0), 0)
  const carried = transactions
    .filter(({ charged_by: by }) => by === bill.id)
    .reduce((sum, row) => sum + feesIn(row), 0)
  const fee = monthly ?? 0
  return fee + Math.max(0, (minimum ?? 0) - taken - carried - fee)
}

/**
 * Checks a transaction that has fees and no longer waits: a settlement of its own account must have charged
 * the fees.
 */
function chargeProblems(row: TransactionRow, byId: ReadonlyMap<string, TransactionRow>): string[] {
  const { id, awaiting, charged_by: by } = row
  const isForgotten = isTaken(row) && feesIn(row) > 0 && awaiting === null && by === null
  if (by === null) return isForgotten ? [`${id} has fees that nobody charges`] : []
  const batch = byId.get(by)
  return [
    ...(batch && isBatch(batch) ? [] : [`${id} is charged by ${by}, which is no deposit`]),
    ...(batch?.processing_id === row.processing_id ? [] : [`${id} is charged by another account`]),
    ...(awaiting === 'bill' ? [`${id} is charged and waits for a bill`] : []),
  ]
}

/** Fees of a transaction that a settlement charges; the fee of a deposit is its own. */
function feesIn(row: TransactionRow): number {
  return (isBatch(row) ? 0 : (row.fee ?? 0)) + (row.accrued_fee ?? 0)
}
