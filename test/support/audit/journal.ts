import type { PostingRow, TransactionRow } from '../../../src/engine/store/database/tables.js'
import { type Charged, chargedBy, NOTHING_CHARGED, ownFee } from './funding.js'
import { grouped, type Kept } from './kept.js'
import { isBatch } from './ledger.js'
import { isTaken } from './status.js'

/**
 * Checks that the postings of each transaction follow from its status and fees, and occur once. Each posting moves an
 * amount from one account to another, so the books then balance as a whole. See docs/money.md, "Ledger and journal".
 */
export function journalProblems({ transactions, postings }: Kept): string[] {
  const postingsOf = grouped(postings, (posting) => posting.transaction_id)
  const charged = chargedBy(transactions)
  return transactions.flatMap((row) => {
    const own = postingsOf.get(row.id) ?? []
    const foreign = own.filter(({ processing_id }) => processing_id !== row.processing_id)
    const expected = shown(
      isBatch(row) ? batchBalances(row, charged.get(row.id) ?? NOTHING_CHARGED) : expectedBalances(row),
    )
    const actual = shown(balancesOf(own))
    const count = isBatch(row) ? own.length : expectedCount(row, own)
    return [
      ...(foreign.length === 0 ? [] : [`${row.id} has postings of another account`]),
      ...(expected === actual
        ? []
        : [`${row.id} has booked ${actual || 'nothing'}, not ${expected || 'nothing'}`]),
      ...(count === own.length ? [] : [`${row.id} has ${own.length} postings, not ${count}`]),
    ]
  })
}

type Balances = Readonly<Record<string, number>>

function expectedBalances(row: TransactionRow): Balances {
  const { type, amount, conv_fee, fee, accrued_fee } = row
  const excess = row.excess ?? 0
  const [value, conv, netted, accrued] = [
    (amount ?? 0) - excess,
    conv_fee ?? 0,
    fee ?? 0,
    accrued_fee ?? 0,
  ] as const
  if (!isTaken(row)) return {}
  switch (type) {
    case 'payment':
      return {
        processor_clearing: -value - conv,
        merchant_payable: value - netted,
        fee_income: conv + netted + accrued,
        fee_receivable: -accrued,
      }
    case 'chargeback':
      return {
        merchant_payable: -value - netted,
        processor_clearing: value,
        fee_income: netted + accrued - conv,
        fee_receivable: -accrued,
        cash: conv + excess,
        chargeback_loss: -excess,
      }
    case 'chargeback_reversal':
      return {
        merchant_payable: value,
        processor_clearing: -value,
        fee_income: conv,
        cash: -conv - excess,
        chargeback_loss: excess,
      }
    case 'reversal':
      return { merchant_payable: value, processor_clearing: -value }
    default:
      return { merchant_payable: -value, processor_clearing: value }
  }
}

/**
 * Expected balances of a settlement: the processor pays its entries, its fees are settled, and its amount
 * moves to or from the bank.
 */
function batchBalances(row: TransactionRow, charged: Charged): Balances {
  const { type, amount, entered, accrued_fee: carried } = row
  const paid = (entered ?? 0) + charged.convFee
  const own = ownFee(row, charged)
  const moved = type === 'deposit' ? (amount ?? 0) : -(amount ?? 0)
  const isCarried = (carried ?? 0) > 0
  const receivable = isCarried ? -charged.fee - own : charged.accrued
  const payable = isCarried ? charged.fee : -charged.accrued - own
  return {
    cash: moved - paid,
    processor_clearing: paid,
    merchant_payable: payable - moved,
    fee_receivable: receivable,
    fee_income: own,
  }
}

/**
 * Expected number of postings: one for the amount and one for each part of the fee. In a voided transaction,
 * each movement must occur once.
 */
function expectedCount(row: TransactionRow, own: readonly PostingRow[]): number {
  if (row.status === 'voided') return new Set(own.map(movement)).size
  if (!isTaken(row)) return 0
  const parts = [row.fee, row.accrued_fee].filter((part) => (part ?? 0) > 0).length
  const conv = (row.conv_fee ?? 0) > 0 ? 1 : 0
  switch (row.type) {
    case 'payment':
      return 1 + parts + conv
    case 'chargeback':
    case 'chargeback_reversal':
      return (row.amount === row.excess ? 0 : 1) + parts + 2 * conv + ((row.excess ?? 0) > 0 ? 2 : 0)
    case 'reversal':
      return 3
    default:
      return 1
  }
}

function movement({ from_account, to_account, amount }: PostingRow): string {
  return `${from_account} ${to_account} ${amount}`
}

function balancesOf(postings: readonly PostingRow[]): Balances {
  const balances: Record<string, number> = {}
  for (const { from_account: from, to_account: to, amount } of postings) {
    balances[from] = (balances[from] ?? 0) - amount
    balances[to] = (balances[to] ?? 0) + amount
  }
  return balances
}

function shown(balances: Balances): string {
  return Object.entries(balances)
    .filter(([, balance]) => balance !== 0)
    .map(([account, balance]) => `${account} ${balance}`)
    .sort()
    .join(', ')
}
