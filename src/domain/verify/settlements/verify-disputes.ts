import type { DisputeRow } from '../../../engine/store/database/tables.js'
import { findingsOf } from '../pass/finding.js'
import { passOver } from '../pass/pass.js'

/** Columns of the transactions that a dispute names, for comparison. */
interface Named {
  readonly payment_type: string | null
  readonly payment_gateway: string | null
  readonly payment_account: string | null
  readonly chargeback_type: string | null
  readonly chargeback_of: string | null
  readonly reversal_type: string | null
  readonly reversal_of: string | null
}

/** A dispute belongs to a payment of its gateway. The chargeback and the reversal that it names have its reference. */
export const disputes = passOver(
  'disputes',
  (db) =>
    db
      .selectFrom('disputes as d')
      .leftJoin('transactions as p', 'p.id', 'd.transaction_id')
      .leftJoin('transactions as c', 'c.id', 'd.chargeback_id')
      .leftJoin('transactions as r', 'r.id', 'd.reversal_id')
      .selectAll('d')
      .select([
        'p.type as payment_type',
        'p.gateway as payment_gateway',
        'p.processing_id as payment_account',
        'c.type as chargeback_type',
        'c.dispute as chargeback_of',
        'r.type as reversal_type',
        'r.dispute as reversal_of',
      ]),
  async (_, rows) => ({
    count: rows.length,
    findings: rows.flatMap((row) => findingsOf('dispute', row.id, () => disputeProblems(row))),
  }),
  'd.id',
)

function disputeProblems(row: DisputeRow & Named): string[] {
  const { transaction_id: payment, chargeback_id: chargeback, reversal_id: reversal, reference } = row
  const isOfPayment =
    row.payment_type === 'payment' &&
    row.payment_gateway === row.gateway &&
    row.payment_account === row.processing_id
  const problems = isOfPayment ? [] : [`It names ${payment}, which is no payment of its account and gateway`]
  if (chargeback !== null && (row.chargeback_type !== 'chargeback' || row.chargeback_of !== reference))
    problems.push(`It names ${chargeback}, which is not its chargeback`)
  if (reversal !== null && (row.reversal_type !== 'chargeback_reversal' || row.reversal_of !== reference))
    problems.push(`It names ${reversal}, which is not its reversal`)
  if (reversal !== null && chargeback === null) problems.push('It was won back, and has no chargeback')
  if (row.stage === 'inquiry' && chargeback !== null) problems.push('It is an inquiry, and has taken money')
  return problems
}

/** Every chargeback and every reversal is named by a dispute. */
export const chargebacks = passOver(
  'chargebacks',
  (db) =>
    db
      .selectFrom('transactions as t')
      .leftJoin('disputes as d', (join) =>
        join.on((eb) =>
          eb.or([eb('d.chargeback_id', '=', eb.ref('t.id')), eb('d.reversal_id', '=', eb.ref('t.id'))]),
        ),
      )
      .select(['t.id', 'd.id as dispute_id'])
      .where('t.type', 'in', ['chargeback', 'chargeback_reversal'])
      .where('t.dispute', 'is not', null),
  async (_, rows) => ({
    count: rows.length,
    findings: rows.flatMap((row) =>
      findingsOf('dispute', row.id, () => (row.dispute_id === null ? ['No dispute names it'] : [])),
    ),
  }),
  't.id',
)
