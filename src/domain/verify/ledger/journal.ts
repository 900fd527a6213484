import type { PostingRow } from '../../../engine/store/database/tables.js'
import { CURRENCY } from '../../../schema/money.js'
import { type Balances, balancesOf, shownBalances } from '../pass/balances.js'
import { isFunded, type TransactionHistory } from './transaction-history.js'

/**
 * Postings of a transaction follow from its status, amount and fees. Every posting moves an amount from one account to
 * another, so the books then balance as a whole. See docs/money.md, "Ledger and journal".
 */
export function journalProblems(history: TransactionHistory): string[] {
  const { row, postings } = history
  const problems = postings.flatMap((posting) => postingProblems(posting, row.processing_id))
  const actual = shownBalances(balancesOf(postings))
  // A deposit that is still being made has booked some of its parts.
  if (row.status === 'processing')
    return history.isBatch || actual === '' ? problems : [...problems, booked(actual, '')]
  if (row.status === 'voided') problems.push(...voidProblems(history))
  const expected = shownBalances(expectedBalances(history))
  return actual === expected ? problems : [...problems, booked(actual, expected)]
}

/** A posting has its transaction's processing account and the one currency, and its amount is above zero. */
function postingProblems(
  { id, processing_id: of, currency, amount }: PostingRow,
  account: string | null,
): string[] {
  return [
    ...(of === account ? [] : [`Its posting ${id} is for another account`]),
    ...(currency === CURRENCY ? [] : [`Its posting ${id} is in ${currency}`]),
    ...(amount > 0 ? [] : [`Its posting ${id} has the amount ${amount}`]),
  ]
}

/** A voided transaction was booked and reversed, each for the whole amount. */
function voidProblems({ row, postings }: TransactionHistory): string[] {
  const moved = postings.filter(({ from_account: from, to_account: to }) =>
    [from, to].every((account) => account === 'processor_clearing' || account === 'merchant_payable'),
  )
  return moved
    .filter(({ amount }) => amount !== row.amount)
    .map(({ amount }) => `It was voided, and ${amount} of ${row.amount} was booked`)
}

function booked(actual: string, expected: string): string {
  return `It has booked ${actual || 'nothing'}, and should have booked ${expected || 'nothing'}`
}

function expectedBalances(history: TransactionHistory): Balances {
  const { type, status, amount: value, conv_fee: convFee, fee: netted, accrued_fee: waiting } = history.row
  // The excess of a chargeback over its payment is a loss.
  const excess = history.row.excess ?? 0
  const amount = (value ?? 0) - excess
  const conv = convFee ?? 0
  const fee = netted ?? 0
  const accrued = waiting ?? 0
  if (status !== 'processed' && status !== 'rejected') return {}
  switch (type) {
    case 'payment':
      return {
        processor_clearing: -amount - conv,
        merchant_payable: amount - fee,
        fee_income: conv + fee + accrued,
        fee_receivable: -accrued,
      }
    case 'refund':
    case 'credit':
      return { merchant_payable: -amount, processor_clearing: amount }
    case 'chargeback':
      return {
        merchant_payable: -amount - fee,
        ...takenBalances(history, amount, conv + excess),
        fee_income: fee + accrued - conv,
        fee_receivable: -accrued,
        chargeback_loss: -excess,
      }
    case 'chargeback_reversal':
      return {
        merchant_payable: amount,
        ...takenBalances(history, -amount, -conv - excess),
        fee_income: conv,
        chargeback_loss: excess,
      }
    case 'deposit':
    case 'reversal':
      return payoutBalances(history, amount)
    case null:
      return {}
  }
}

/**
 * Balances of an amount that a bank took back; `ours` is the part beyond the merchant's. A gateway that reports its
 * payouts has not taken the amount yet, so cash is not touched.
 */
function takenBalances(history: TransactionHistory, amount: number, ours: number): Balances {
  return isFunded(history)
    ? { processor_clearing: amount, cash: ours }
    : { processor_clearing: amount + ours }
}

function payoutBalances(history: TransactionHistory, amount: number): Balances {
  const { type, settlement_id: settlement } = history.row
  if (settlement === null)
    return history.isBatch
      ? batchBalances(history)
      : { processor_clearing: -amount, merchant_payable: amount }
  // Cash of a gateway's payout is booked with the lines of its settlement.
  const moved = type === 'deposit' ? amount : -amount
  return { merchant_payable: -moved, cash: moved }
}

/**
 * The processor pays the entered amount with its convenience fees, and the fees of the transactions in the batch are
 * settled. The rest goes to the merchant or comes from there. A deposit is net of fees, or carries its fees to the
 * bill.
 */
function batchBalances({ row, entered, charged }: TransactionHistory): Balances {
  const amount = row.amount ?? 0
  const fee = row.fee ?? 0
  const carried = row.accrued_fee ?? 0
  const paid = entered.amount + charged.convFee
  const moved = row.type === 'deposit' ? amount : -amount
  const own = fee + carried - charged.fee - charged.accrued
  const settled =
    carried === 0
      ? { merchant: -charged.accrued - own, receivable: charged.accrued }
      : { merchant: charged.fee, receivable: -charged.fee - own }
  return {
    cash: moved - paid,
    processor_clearing: paid,
    merchant_payable: settled.merchant - moved,
    fee_receivable: settled.receivable,
    fee_income: own,
  }
}
