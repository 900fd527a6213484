import type { PostingRow, TransactionRow } from '../../../src/store/tables.js'
import { grouped, type Kept } from './kept.js'

/**
 * Each transaction's postings are those that its status and fees call for, once. As every posting moves an amount
 * from one account to another, the books then balance as a whole. Money: "Ledger, deposits, journal".
 */
export function journalProblems({ transactions, postings }: Kept): string[] {
  const postingsOf = grouped(postings, (posting) => posting.transaction_id)
  return transactions.flatMap((row) => {
    const own = postingsOf.get(row.id) ?? []
    const foreign = own.filter(({ processing_id }) => processing_id !== row.processing_id)
    const expected = shown(expectedBalances(row))
    const actual = shown(balancesOf(own))
    const count = expectedCount(row, own)
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

function expectedBalances({ type, status, amount, conv_fee, fee, accrued_fee }: TransactionRow): Balances {
  const [value, conv, netted, accrued] = [amount ?? 0, conv_fee ?? 0, fee ?? 0, accrued_fee ?? 0]
  if (status !== 'processed') return {}
  if (type !== 'payment') return { merchant_payable: -value, processor_clearing: value }
  return {
    processor_clearing: -value - conv,
    merchant_payable: value - netted,
    fee_income: conv + netted + accrued,
    fee_receivable: -accrued,
  }
}

/** Nothing posted twice: a movement for the amount and for each part of the fee; a void takes back what was booked. */
function expectedCount(row: TransactionRow, own: readonly PostingRow[]): number {
  if (row.status === 'voided') return new Set(own.map(movement)).size
  if (row.status !== 'processed') return 0
  if (row.type !== 'payment') return 1
  return 1 + [row.conv_fee, row.fee, row.accrued_fee].filter((part) => (part ?? 0) > 0).length
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
