import type { Work } from '../../../engine/core/write/work.js'
import type { TransactionRow } from '../../../engine/store/database/tables.js'
import { findingsOf } from '../pass/finding.js'
import { grouped, passOver } from '../pass/pass.js'

type Payout = Pick<
  TransactionRow,
  'id' | 'type' | 'amount' | 'fee' | 'unexplained' | 'processing_id' | 'settlement_id'
>

/**
 * A deposit made from a gateway's payout is the sum of its ledger entries and of unexplained lines, less its fee. All
 * deposits and reversals of an account in a payout together are the sum of its lines. See docs/money.md, "Payouts".
 */
export const payouts = passOver(
  'payouts of gateways',
  (db) =>
    db
      .selectFrom('transactions')
      .select(['id', 'type', 'amount', 'fee', 'unexplained', 'processing_id', 'settlement_id'])
      .where('settlement_id', 'is not', null),
  async ({ tx }, rows) => {
    const entered = await enteredOf(
      tx,
      rows.map(({ id }) => id),
    )
    const others = await payoutsOfSame(tx, rows)
    const paid = await paidBy(
      tx,
      others.map(({ id }) => id),
    )
    const groups = grouped(others, groupOf)
    return {
      count: rows.length,
      findings: rows.flatMap((row) =>
        findingsOf('settlement', row.id, [
          ...identityProblems(row, entered.get(row.id) ?? 0),
          ...groupProblems(row, groups.get(groupOf(row)) ?? [], paid),
        ]),
      ),
    }
  },
)

function identityProblems(row: Payout, entered: number): string[] {
  const stated = movedBy(row) + (row.fee ?? 0)
  const explained = entered + (row.unexplained ?? 0)
  return stated === explained
    ? []
    : [`It and its fee sum to ${stated}, and its entries and unexplained lines to ${explained}`]
}

/** Problems of all payouts of an account in a settlement, reported for the first of them. */
function groupProblems(
  { id }: Payout,
  group: readonly Payout[],
  paid: ReadonlyMap<string, number>,
): string[] {
  if (group[0]?.id !== id) return []
  const moved = group.reduce((sum, each) => sum + movedBy(each), 0)
  const lines = group.reduce((sum, each) => sum + (paid.get(each.id) ?? 0), 0)
  return moved === lines
    ? []
    : [`The payouts of its account in its settlement moved ${moved}, and their lines sum to ${lines}`]
}

function movedBy({ type, amount }: Pick<Payout, 'type' | 'amount'>): number {
  return type === 'deposit' ? (amount ?? 0) : -(amount ?? 0)
}

function groupOf({ settlement_id: settlement, processing_id: account }: Payout): string {
  return `${settlement} ${account}`
}

type Tx = Work['tx']

async function enteredOf({ db }: Tx, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const sums = await db
    .selectFrom('transaction_ledgers')
    .select(({ fn }) => ['transaction_id', fn.sum<number>('amount').as('sum')])
    .where('transaction_id', 'in', [...ids])
    .groupBy('transaction_id')
    .execute()
  return new Map(sums.map(({ transaction_id: id, sum }) => [id ?? '', Number(sum)]))
}

/** All deposits and reversals of the same settlements, in the order of their ids. */
async function payoutsOfSame({ db }: Tx, rows: readonly Payout[]): Promise<readonly Payout[]> {
  const settlements = [...new Set(rows.flatMap(({ settlement_id: id }) => id ?? []))]
  return await db
    .selectFrom('transactions')
    .select(['id', 'type', 'amount', 'fee', 'unexplained', 'processing_id', 'settlement_id'])
    .where('type', 'in', ['deposit', 'reversal'])
    .where('settlement_id', 'in', settlements)
    .orderBy('id')
    .execute()
}

/** Sums of the lines in payouts, less their fees; lines of a failed payout are left out. */
async function paidBy({ db }: Tx, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const sums = await db
    .selectFrom('admin_settlement_lines')
    .select(({ fn }) => [
      'payout_id',
      fn.sum<number>('amount').as('amount'),
      fn.sum<number | null>('fee').as('fee'),
    ])
    .where('payout_id', 'in', [...ids])
    .where('status', '!=', 'failed')
    .groupBy('payout_id')
    .execute()
  return new Map(sums.map(({ payout_id: id, amount, fee }) => [id ?? '', Number(amount) - Number(fee ?? 0)]))
}
