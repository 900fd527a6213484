import type { Work } from '../../engine/core/write/work.js'
import { insertRows } from '../../engine/store/database/insert-rows.js'
import type { ExceptionRow } from '../../engine/store/database/tables.js'
import { CURRENCY } from '../../schema/money.js'
import { payoutsOf } from '../ledger/payouts.js'
import { lossPostings } from '../ledger/postings.js'

const COLUMNS = [
  'id',
  'exception_id',
  'processing_id',
  'currency',
  'from_account',
  'to_account',
  'amount',
  'created_at',
] as const

/** Books what is at stake as our loss: the processor takes it from us. Money: "Ledger, deposits, journal". */
export async function bookLoss(
  work: Work,
  { id, processing_id, amount }: Pick<ExceptionRow, 'id' | 'processing_id' | 'amount'>,
): Promise<void> {
  const payouts = await payoutsOf(work, { processing_id })
  const rows = lossPostings(amount ?? 0, payouts).map((posting) => ({
    ...{ id: work.newId(''), exception_id: id, processing_id, currency: CURRENCY },
    ...{ from_account: posting.from, to_account: posting.to },
    ...{ amount: posting.amount, created_at: work.now },
  }))
  await insertRows(work.tx, 'exception_postings', COLUMNS, rows)
}
