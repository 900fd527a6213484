import type { PaymentMethodRow, ProcessingSettingsRow, TransactionRow } from '../../../src/store/tables.js'
import type { Kept } from './kept.js'

/**
 * Fees of each payment by the settings that its account has now, which must be those it was taken under. The parts
 * sum to the whole, and declined, voided and outgoing transactions cost nothing. Money: "Fees".
 */
export function feeProblems({ accounts, settings, methods, transactions }: Kept): string[] {
  const settingsById = new Map(settings.map((row) => [row.id, row]))
  const methodById = new Map(methods.map((row) => [row.id, row]))
  const settingsOf = new Map(
    accounts.map((account) => [account.id, settingsById.get(account.processing_settings_id ?? '')]),
  )
  return transactions.flatMap((row) => {
    const price = settingsOf.get(row.processing_id ?? '')
    const method = methodById.get(row.payment_method_id ?? '')
    if (!price || !method) return [`${row.id} has no settings or no payment method`]
    const { convFee, share } = expectedFees(row, price, method)
    const isMonthly = price.billing_preference === 'billed_monthly'
    const expected = [convFee, isMonthly ? 0 : share, isMonthly ? share : 0]
    const actual = [row.conv_fee, row.fee, row.accrued_fee]
    return expected.join() === actual.join() ? [] : [`${row.id} has fees ${actual}, not ${expected}`]
  })
}

function expectedFees(
  { type, status, amount }: TransactionRow,
  price: ProcessingSettingsRow,
  method: PaymentMethodRow,
): { convFee: number; share: number } {
  if (type !== 'payment' || (status !== 'processed' && status !== 'authorized'))
    return { convFee: 0, share: 0 }
  const kind = method.type === 'bank_account' ? 'bank_account' : (method.card__card_type ?? 'credit')
  const priced = kind === 'gift' ? 'prepaid' : kind
  const whole = half(amount ?? 0, price[`${priced}_trans_rate`]) + (price[`${priced}_trans_cost`] ?? 0)
  const convFee = half(whole, price[`${priced}_conv_fee_alloc`])
  return { convFee, share: whole - convFee }
}

/** `amount` times parts per million, a half rounded up. Exact below 100 million of the currency's minor units. */
function half(amount: number, ppm: number | null): number {
  return Math.floor((amount * (ppm ?? 0) + 500_000) / 1_000_000)
}
