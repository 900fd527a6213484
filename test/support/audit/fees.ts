import type {
  PaymentMethodRow,
  ProcessingSettingsRow,
  TransactionRow,
} from '../../../src/engine/store/database/tables.js'
import { grouped, type Kept } from './kept.js'
import { isBatch } from './ledger.js'
import { isTaken } from './status.js'

/**
 * Checks that fees of payments and chargebacks follow from their account's current settings, which must not have
 * changed since. The parts add up to the whole; declined, voided and outgoing transactions have no fees. See
 * docs/money.md, "Fees".
 */
export function feeProblems(kept: Kept): string[] {
  const { methods, transactions } = kept
  const methodById = new Map(methods.map((row) => [row.id, row]))
  const settingsOf = settingsByAccount(kept)
  return [
    ...transactions.flatMap((row) => {
      const price = settingsOf.get(row.processing_id ?? '')
      const method = methodById.get(row.payment_method_id ?? '')
      if (isBatch(row)) return []
      return price && method ? ownProblems(row, price, method) : [`${row.id} has no settings or no method`]
    }),
    ...lostProblems(kept),
  ]
}

function ownProblems(row: TransactionRow, price: ProcessingSettingsRow, method: PaymentMethodRow): string[] {
  const { convFee, share } = expectedFees(row, price, method)
  const isMonthly = price.billing_preference === 'billed_monthly'
  const expected = [convFee, isMonthly ? 0 : share, isMonthly ? share : 0]
  const actual = [row.conv_fee, row.fee, row.accrued_fee]
  return expected.join() === actual.join() ? [] : [`${row.id} has fees ${actual}, not ${expected}`]
}

export function settingsByAccount({
  accounts,
  settings,
}: Kept): Map<string, ProcessingSettingsRow | undefined> {
  const settingsById = new Map(settings.map((row) => [row.id, row]))
  return new Map(
    accounts.map((account) => [account.id, settingsById.get(account.processing_settings_id ?? '')]),
  )
}

function expectedFees(
  row: TransactionRow,
  price: ProcessingSettingsRow,
  method: PaymentMethodRow,
): { convFee: number; share: number } {
  const { type, status, amount } = row
  // The convenience fee of a dispute is checked together with its payment.
  const disputed = row.conv_fee ?? 0
  if (type === 'chargeback_reversal') return { convFee: disputed, share: 0 }
  if (type === 'chargeback')
    return { convFee: disputed, share: isReturned(row) ? 0 : (price.chargeback_fee ?? 0) }
  if (type !== 'payment' || (!isTaken(row) && status !== 'authorized')) return { convFee: 0, share: 0 }
  const kind = method.type === 'bank_account' ? 'bank_account' : (method.card__card_type ?? 'credit')
  const priced = kind === 'gift' ? 'prepaid' : kind
  const whole = half(amount ?? 0, price[`${priced}_trans_rate`]) + (price[`${priced}_trans_cost`] ?? 0)
  const convFee = half(whole, price[`${priced}_conv_fee_alloc`])
  return { convFee, share: whole - convFee }
}

function isReturned({ status_code: code }: TransactionRow): boolean {
  return /^R\d\d$/.test(code ?? '')
}

/**
 * Checks that a rejected payment has lost its convenience fee through one of its chargebacks, and any other
 * payment has kept it.
 */
function lostProblems({ transactions, entries }: Kept): string[] {
  const byId = new Map(transactions.map((row) => [row.id, row]))
  const entriesOf = grouped(entries, (entry) => entry.transaction_id ?? '')
  return transactions.flatMap((row) => {
    if (row.type !== 'payment') return []
    const lost = (entriesOf.get(row.id) ?? [])
      .map((entry) => byId.get(entry.assoc_transaction_id ?? ''))
      .reduce((sum, other) => sum + signOf(other) * (other?.conv_fee ?? 0), 0)
    const expected = row.status === 'rejected' ? row.conv_fee : 0
    return lost === expected ? [] : [`${row.id} has lost ${lost} of its convenience fee, not ${expected}`]
  })
}

function signOf(row: TransactionRow | undefined): number {
  if (row?.type === 'chargeback') return 1
  return row?.type === 'chargeback_reversal' ? -1 : 0
}

/** `amount` times parts per million, a half rounded up. Exact below 100 million of the currency's minor units. */
function half(amount: number, ppm: number | null): number {
  return Math.floor((amount * (ppm ?? 0) + 500_000) / 1_000_000)
}
