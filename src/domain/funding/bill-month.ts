import { sql } from 'kysely'
import type { Work } from '../../engine/core/write/work.js'
import { prepared } from '../../engine/store/database/prepared.js'
import { dateIn, monthLength, partsOf } from '../../platform/calendar/date.js'
import type { Minor } from '../../schema/money.js'
import type { Group } from './read-items.js'

/** Whatever waits for an account's next bill, since whenever. */
export function carriedBy(processingId: string): Group {
  return { awaiting: 'bill', processingId, dueAt: null }
}

/** The first moment after `after` at which a month's bill is due. Datetimes. */
export async function nextBillDue({ tx }: Work, after: string): Promise<string | undefined> {
  const [first] = await tx.run(firstBillAfter, { after })
  return first?.bill_due_at
}

/** A processing account whose bill is due until a datetime. */
export async function nextBill({ tx }: Work, until: string): Promise<string | undefined> {
  const [first] = await tx.run(firstBillUntil, { until })
  return first?.id
}

/** All processing accounts whose bill is due until a datetime. */
export async function accountsToBill({ tx }: Work, until: string): Promise<string[]> {
  const rows = await tx.db
    .selectFrom('accounts')
    .select('id')
    .where('bill_due_at', '<=', until)
    .where('deleted_at', 'is', null)
    .execute()
  return rows.map(({ id }) => id)
}

/** The bill of another month comes next; whoever has moved it already was first. */
export async function moveBill({ tx }: Work, move: Move): Promise<void> {
  await tx.change(moveFrom, move)
}

/** What the deposits of a month have taken in fees. */
export async function feesTakenIn({ tx }: Work, processingId: string, month: string): Promise<Minor> {
  const { year, month: number } = partsOf(`${month}-01`)
  const days = Array.from({ length: monthLength(year, number) }, (_, n) => dateIn(year, number, n + 1))
  const { taken } = await tx.db
    .selectFrom('transactions')
    .select((eb) => eb.fn.sum<number | null>('fee').as('taken'))
    .where('period', 'in', days)
    .where('processing_id', '=', processingId)
    .executeTakeFirstOrThrow()
  return taken ?? 0
}

const firstBillAfter = prepared<{ after: string }, { bill_due_at: string }>((db, param) =>
  db
    .selectFrom('accounts')
    .select(sql<string>`bill_due_at`.as('bill_due_at'))
    .where('bill_due_at', '>', param('after'))
    .where('deleted_at', 'is', null)
    .orderBy('bill_due_at')
    .limit(1),
)

const firstBillUntil = prepared<{ until: string }, { id: string }>((db, param) =>
  db
    .selectFrom('accounts')
    .select('id')
    .where('bill_due_at', '<=', param('until'))
    .where('deleted_at', 'is', null)
    .orderBy('bill_due_at')
    .limit(1),
)

interface Move {
  readonly id: string
  readonly from: string
  readonly month: string
  readonly to: string
}

const moveFrom = prepared<Move, never>((db, param) =>
  db
    .updateTable('accounts')
    .set({ bill_month: param('month'), bill_due_at: param('to') })
    .where('id', '=', param('id'))
    .where('bill_due_at', '=', param('from')),
)
