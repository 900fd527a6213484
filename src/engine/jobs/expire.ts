import { datetimeOf, millisecondsOf } from '../../schema/datetime.js'
import type { Work } from '../core/write/work.js'
import type { Tx } from '../store/database/store.js'
import type { DueJob } from './due-job.js'
import { severalAtOnce } from './several-at-once.js'

/** How many are looked for at once. */
const BATCH_SIZE = 100

/** Rows that end at the datetime in their column `expires_at`, unless their status has left `from` before. */
export interface Expiring {
  /** Name of the job. */
  readonly name: string
  readonly table: 'payment_links' | 'payment_activations'
  readonly from: string
  /** In a unit of work of its own, what ended at `until` or before; answers whether it was still to be done. */
  expire(work: Work, id: string, until: string): Promise<boolean>
}

/** Ends each object when its time has come. An index on status and `expires_at` answers what is next. */
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
