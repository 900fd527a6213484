import { datetimeOf, millisecondsOf } from '../../schema/datetime.js'
import type { Work } from '../core/write/work.js'
import type { Tx } from '../store/database/store.js'
import type { DueJob } from './due-job.js'
import { severalAtOnce } from './several-at-once.js'

/** Number of rows that are read at once. */
const BATCH_SIZE = 100

/** Rows that expire at the datetime in their column `expires_at`, unless their status is no longer `from`. */
export interface Expiring {
  /** Name of the job. */
  readonly name: string
  readonly table: 'payment_links' | 'payment_activations'
  readonly from: string
  /**
   * Expires a row in a separate unit of work, if it was due by `until`. Returns whether the row was still
   * to be expired.
   */
  expire(work: Work, id: string, until: string): Promise<boolean>
}

/** Job that expires each object when it is due. An index on status and `expires_at` finds the next object. */
export function expiryJob({ name, table, from, expire }: Expiring): DueJob {
  const waiting = ({ any }: Tx) =>
    any.selectFrom(table).where('status', '=', from).where('deleted_at', 'is', null)
  return {
    name,
    async next({ tx }, after) {
      const first = await waiting(tx)
        .select('expires_at')
        .where('expires_at', '>', datetimeOf(after))
        .orderBy('expires_at')
        .limit(1)
        .executeTakeFirst()
      return first && millisecondsOf(String(first.expires_at))
    },
    async run(runner, at) {
      const until = datetimeOf(at)
      let count = 0
      let last: string | undefined = ''
      while (last !== undefined) {
        const after: string = last
        const expired = await runner.read(({ tx }) =>
          waiting(tx)
            .select('id')
            .where('expires_at', '<=', until)
            .where('id', '>', after)
            .orderBy('id')
            .limit(BATCH_SIZE)
            .execute(),
        )
        const ids = expired.map(({ id }) => String(id))
        await severalAtOnce(ids, async (id) => {
          if (await runner.write((work) => expire(work, id, until))) count++
        })
        last = ids.at(-1)
      }
      return count
    },
  }
}
