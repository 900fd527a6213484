import { sql } from 'kysely'
import { type Prepared, prepared } from '../database/prepared.js'
import { using } from '../database/raw-use.js'
import type { LogEnd } from './seal-log.js'

/**
 * Column with the end of the log as text. It has four parts: the last commit, the last commit that changed
 * control rows, the hash of the former, and a sum of entry numbers.
 *
 * The sum covers the waiting entries that change control rows. The highest number would not do, because
 * units of work commit in another order than their entries are numbered. The end is read together with a
 * row, so checking the row costs no extra query.
 */
export const logEnd = using(
  { reads: ['seal_log', 'seal_queue'] },
  sql<string>`coalesce((select id || ' ' || control || ' ' || hash from seal_log order by id desc limit 1), ${sql.lit(`0 0 ${'0'.repeat(64)}`)})
    || ' ' || coalesce((select sum(id) from seal_queue where control is not null), 0)`,
).as('log_end')

/**
 * End of a log. `queued` is the sum of the numbers of waiting entries that change control rows; 0 if none
 * waits.
 */
export interface SeenEnd extends LogEnd {
  readonly queued: number
}

export function readLogEnd(text: string): SeenEnd {
  const [number, control, hash = '', queued] = text.split(' ')
  return { number: Number(number), control: Number(control), hash, queued: Number(queued) }
}

/** End of a log as text, in the format of the column `log_end`. */
export function logEndText({ number, control, hash, queued }: SeenEnd): string {
  return `${number} ${control} ${hash} ${queued}`
}

export const logEndStatement: Prepared<object, { log_end: string }> = prepared((db) =>
  db.selectNoFrom(logEnd),
)
