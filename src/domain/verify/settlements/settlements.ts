import type { Work } from '../../../engine/core/write/work.js'
import type {
  SettlementLineRow,
  SettlementPostingRow,
  SettlementRow,
} from '../../../engine/store/database/tables.js'
import { CURRENCY } from '../../../schema/money.js'
import { type Balances, balancesOf, shownBalances } from '../pass/balances.js'
import { findingsOf } from '../pass/finding.js'
import { grouped, passOver } from '../pass/pass.js'

type Db = Work['tx']['db']

/** A settlement has as many lines as it counts, and they sum to its amounts, or an exception records the difference. */
export const settlements = passOver(
  'settlements',
  (db) => db.selectFrom('admin_settlements').selectAll(),
  async ({ tx: { db } }, rows) => {
    const ids = rows.map(({ id }) => id)
    const sums = new Map((await sumsOf(db, ids)).map((sum) => [sum.id, sum]))
    const raised = await db
      .selectFrom('admin_exceptions')
      .select('about')
      .where(
        'about',
        'in',
        ids.map((id) => `lines of ${id}`),
      )
      .execute()
    const isRaised = new Set(raised.map(({ about }) => about))
    return {
      count: rows.length,
      findings: rows.flatMap((row) =>
        findingsOf(
          'settlement',
          row.id,
          settlementProblems(row, sums.get(row.id), isRaised.has(`lines of ${row.id}`)),
        ),
      ),
    }
  },
)

interface Sum {
  readonly id: string | null
  readonly count: number
  readonly amount: number
  readonly fee: number
  /** Numbers of lines whose payout failed, and of lines that an earlier settlement already has. */
  readonly failed: number
  readonly repeated: number
}

/** Sums of settlement lines, by settlement. */
async function sumsOf(db: Db, ids: readonly string[]): Promise<Sum[]> {
  const rows = await db
    .selectFrom('admin_settlement_lines')
    .select(({ fn }) => [
      'settlement_id as id',
      fn.countAll<number>().as('count'),
      fn.sum<number>('amount').as('amount'),
      fn.sum<number | null>('fee').as('fee'),
      fn.countAll<number>().filterWhere('status', '=', 'failed').as('failed'),
      fn.countAll<number>().filterWhere('status', '=', 'repeated').as('repeated'),
    ])
    .where('settlement_id', 'in', [...ids])
    .groupBy('settlement_id')
    .execute()
  return rows.map(({ id, count, amount, fee, failed, repeated }) => ({
    id,
    failed: Number(failed),
    repeated: Number(repeated),
    count: Number(count),
    amount: Number(amount),
    fee: Number(fee ?? 0),
  }))
}

function settlementProblems(row: SettlementRow, sum: Sum | undefined, isRaised: boolean): string[] {
  const { count, amount, fee } = sum ?? { count: 0, amount: 0, fee: 0 }
  const problems = [
    ...(count === row.line_count ? [] : [`It has ${count} lines, and counts ${row.line_count}`]),
    ...failureProblems(row, sum),
  ]
  if (row.status !== 'complete' || isRaised) return problems
  const differs = (stated: number | null, is: number) => stated !== null && stated !== is
  return differs(row.gross, amount) || differs(row.fees, fee) || differs(row.net, amount - fee)
    ? [
        ...problems,
        `Its gross, fees and net are ${row.gross}, ${row.fees} and ${row.net}, and its lines sum to ${amount}, ${fee} and ${amount - fee}`,
      ]
    : problems
}

/**
 * A failed payout has the time of its failure. All its lines are `failed`, except those that an earlier settlement has.
 */
function failureProblems({ status, failed_at: at }: SettlementRow, sum: Sum | undefined): string[] {
  const { count, failed, repeated } = sum ?? { count: 0, failed: 0, repeated: 0 }
  const isFailed = status === 'failed'
  const expected = isFailed ? count - repeated : 0
  return [
    ...(isFailed === (at !== null) ? [] : [`It is ${status}, and failed at ${at}`]),
    ...(failed === expected ? [] : [`It is ${status}, and ${failed} of its ${count} lines have failed`]),
  ]
}

/** A line is matched with a transaction that it fits, and is booked once, according to its kind. */
export const settlementLines = passOver(
  'lines of settlements',
  (db) =>
    db
      .selectFrom('admin_settlement_lines as l')
      .leftJoin('transactions as t', 't.id', 'l.transaction_id')
      .leftJoin('transactions as p', 'p.id', 'l.payout_id')
      .leftJoin('admin_exceptions as e', 'e.id', 'l.exception_id')
      .selectAll('l')
      .select([
        't.type as its_type',
        't.status as its_status',
        't.amount as its_amount',
        't.conv_fee as its_conv_fee',
        't.processing_id as its_account',
        'p.settlement_id as paid_from',
        'e.kind as its_kind',
        'e.resolution as its_resolution',
        'e.amount as its_stake',
        'e.processing_id as its_bearer',
      ]),
  async ({ tx: { db } }, rows) => {
    const postings = await db
      .selectFrom('settlement_postings')
      .selectAll()
      .where('settlement_line_id', '>=', rows[0]?.id ?? '')
      .where('settlement_line_id', '<=', rows.at(-1)?.id ?? '')
      .execute()
    const postingsOf = grouped(postings, (posting) => posting.settlement_line_id)
    return {
      count: rows.length,
      findings: rows.flatMap((row) =>
        findingsOf('settlement', row.id, () => lineProblems(row, postingsOf.get(row.id) ?? [])),
      ),
    }
  },
  'l.id',
)

interface Line extends SettlementLineRow {
  readonly its_type: string | null
  readonly its_status: string | null
  readonly its_amount: number | null
  readonly its_conv_fee: number | null
  readonly its_account: string | null
  readonly paid_from: string | null
  readonly its_kind: string | null
  readonly its_resolution: string | null
  readonly its_stake: number | null
  readonly its_bearer: string | null
}

function lineProblems(row: Line, postings: readonly SettlementPostingRow[]): string[] {
  const actual = shownBalances(balancesOf(postings))
  const expected = shownBalances(expectedBalances(row))
  return [
    ...(row.exception_id === null ? matchProblems(row) : explanationProblems(row)),
    ...(actual === expected
      ? []
      : [`It has booked ${actual || 'nothing'}, and should ${expected || 'nothing'}`]),
    ...postings
      .filter(({ amount, currency }) => amount <= 0 || currency !== CURRENCY)
      .map(({ id }) => `Its posting ${id} has no amount above zero, or another currency`),
    ...(row.payout_id !== null && row.paid_from !== row.settlement_id
      ? [`It is paid out by ${row.payout_id}, which is not of its settlement`]
      : []),
  ]
}

/** Statuses of transactions whose lines cancel one another. */
const CANCELLED: ReadonlySet<string | null> = new Set(['voided', 'declined'])

function matchProblems(row: Line): string[] {
  const {
    status,
    kind,
    transaction_id: id,
    amount,
    difference,
    its_account: account,
    processing_id: own,
  } = row
  const isPlaced = status === 'matched' || status === 'differs'
  if (!isPlaced || kind === 'fee' || kind === 'foreign') return []
  if (id === null) return [`It is ${status}, and names no transaction`]
  if (account !== own) return [`Its account is ${own}, and that of ${id} is ${account}`]
  if (CANCELLED.has(row.its_status))
    return difference === 0
      ? []
      : [`Its transaction is ${row.its_status}, and its difference is ${difference}`]
  const all = (row.its_amount ?? 0) + (row.its_conv_fee ?? 0)
  const isIncoming = row.its_type === 'payment' || row.its_type === 'chargeback_reversal'
  const is = (amount ?? 0) - (isIncoming ? all : -all)
  return is === difference && (is === 0) === (status === 'matched')
    ? []
    : [`It is ${status} with a difference of ${difference}, and differs from ${id} by ${is}`]
}

/** A line that an exception explains has the same amount and account as that exception. */
function explanationProblems(row: Line): string[] {
  const { exception_id: id, amount, processing_id: account, its_bearer: bearer } = row
  const isDecided =
    row.its_kind === 'refund_failed' || (row.its_resolution !== null && row.its_resolution !== 'link')
  const isSame = row.its_stake === Math.abs(amount ?? 0) && (bearer === null || bearer === account)
  return isDecided && isSame ? [] : [`It is explained by ${id}, which is about another amount or account`]
}

/**
 * Balances of a line: cost and net amount at the processor. Amounts without a matching transaction are in `suspense`.
 */
function expectedBalances({ kind, status, amount, fee, booked }: Line): Balances {
  const isPlaced = status === 'matched' || status === 'differs'
  const gross = amount ?? 0
  const kept = fee ?? 0
  const cost = kind === 'fee' ? kept - gross : kept
  const net = gross - kept
  switch (booked) {
    case 'fee':
      return isPlaced ? { processor_cost: -cost, processor_clearing: cost } : {}
    case 'fee_paid':
      return isPlaced ? { processor_cost: -cost, cash: cost } : {}
    case 'outside':
      return kind === 'foreign'
        ? { cash: -net, outside: net }
        : { processor_cost: -cost, cash: -net, outside: cost + net }
    case 'payout': {
      const explained: Balances = isPlaced ? { processor_clearing: cost + net } : { suspense: cost + net }
      return { processor_cost: -cost, cash: -net, ...explained }
    }
    case 'nothing':
    case null:
      return {}
  }
}
