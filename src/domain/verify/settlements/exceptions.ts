import type { ExceptionPostingRow, ExceptionRow } from '../../../engine/store/database/tables.js'
import { CURRENCY } from '../../../schema/money.js'
import { resolutionPostings } from '../../exceptions/book-resolution.js'
import { resolutionsOf } from '../../exceptions/raise-exception.js'
import { type Payouts, payoutsIn } from '../../ledger/payouts.js'
import { balancesOf, shownBalances } from '../pass/balances.js'
import { findingsOf } from '../pass/finding.js'
import { grouped, passOver } from '../pass/pass.js'

/** A resolved exception has a resolution that fits its kind, and the postings of that resolution. */
export const exceptions = passOver(
  'exceptions',
  (db) =>
    db
      .selectFrom('admin_exceptions as e')
      .leftJoin('accounts as a', 'a.id', 'e.processing_id')
      .selectAll('e')
      .select('a.processing__payouts as payouts'),
  async ({ tx, environment }, rows) => {
    const postings = await tx.db
      .selectFrom('exception_postings')
      .selectAll()
      .where(
        'exception_id',
        'in',
        rows.map(({ id }) => id),
      )
      .orderBy('id')
      .execute()
    const postingsOf = grouped(postings, ({ exception_id: id }) => id)
    return {
      count: rows.length,
      findings: rows.flatMap((row) =>
        findingsOf('exception', row.id, () => [
          ...stateProblems(row),
          ...journalProblems(row, payoutsIn(environment, row.payouts), postingsOf.get(row.id) ?? []),
        ]),
      ),
    }
  },
  'e.id',
)

function stateProblems(row: ExceptionRow): string[] {
  const { status, resolution, resolved_at: at, pending_operation: open } = row
  if (status === 'open')
    return resolution === null && at === null ? [] : [`It is open, and was resolved by ${resolution}`]
  const fits = resolutionsOf(row).some((each) => each === resolution)
  return [
    ...(fits && at !== null ? [] : [`It is ${status}, by ${resolution ?? 'nothing'}`]),
    ...(open === null ? [] : [`It is ${status}, and waits for ${open}`]),
  ]
}

/**
 * An exception has exactly the postings of its resolution. Other postings must sum to 0, as after a loss that was
 * undone.
 */
function journalProblems(
  row: ExceptionRow,
  payouts: Payouts,
  postings: readonly ExceptionPostingRow[],
): string[] {
  const resolution = resolutionsOf(row).find((each) => each === row.resolution)
  const expected = resolution ? resolutionPostings(resolution, row, payouts) : []
  const booked = shownBalances(balancesOf(postings))
  const due = shownBalances(
    balancesOf(expected.map(({ from, to, amount }) => ({ from_account: from, to_account: to, amount }))),
  )
  return [
    ...(booked === due
      ? []
      : [`It has booked ${booked || 'nothing'}, and should have booked ${due || 'nothing'}`]),
    ...postings
      .filter(({ processing_id: of, currency }) => of !== row.processing_id || currency !== CURRENCY)
      .map(({ id }) => `Its posting ${id} is for another account or currency`),
  ]
}
