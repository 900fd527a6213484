import type { Work } from '../../engine/core/write/work.js'
import { leave, leaveToBill } from './add-part.js'
import type { Billing } from './decide-deposit.js'
import { sorted } from './item.js'
import { type Group, readItems } from './read-items.js'

/** A group for which nothing comes out today. */
export interface PutOff {
  readonly group: Group
  readonly billing: Billing
  /** The end of the next business day, as a datetime. */
  readonly next: string
}

/** Lets the next transactions of a group wait for the next run (fees of an account that is billed, for the bill). */
export async function putOffPart(work: Work, { group, billing, next }: PutOff): Promise<void> {
  const items = await readItems(work, group, '', { locked: true })
  const { entering, lone, idle } = sorted(items)
  if (billing === 'billed_monthly') await leaveToBill(work, lone)
  await leave(work, idle)
  const waiting = billing === 'billed_monthly' ? entering : [...entering, ...lone]
  if (waiting.length > 0)
    await work.tx.db
      .updateTable('transactions')
      .set({ due_at: next })
      .where(
        'id',
        'in',
        waiting.map(({ id }) => id),
      )
      .execute()
}
