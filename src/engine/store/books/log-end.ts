import { sql } from 'kysely'
import { type Prepared, prepared } from '../database/prepared.js'
import { using } from '../database/raw-use.js'
import type { LogEnd } from './seal-log.js'

/**
 * The end of the log as text: the last commit, the last that changed control, its hash, and the sum of the numbers of the
 * entries of that kind which wait to be sealed. The highest number would not do: units of work commit in another order than
 * their entries are numbered in. The end is read along with a row, so that checking the row costs no query of its own.
 */
export const logEnd = using(
  { reads: ['seal_log', 'seal_queue'] },
  sql<string>`coalesce((select id || ' ' || control || ' ' || hash from seal_log order by id desc limit 1), ${sql.lit(`0 0 ${'0'.repeat(64)}`)})
    || ' ' || coalesce((select sum(id) from seal_queue where control is not null), 0)`,
).as('log_end')

/** The end of a log, and the sum of the numbers of entries that wait and change control; 0 where none waits. */
export interface SeenEnd extends LogEnd {
  readonly queued: number
}

export function readLogEnd(text: string): SeenEnd {
  const [number, control, hash = '', queued] = text.split(' ')
  return { number: Number(number), control: Number(control), hash, queued: Number(queued) }
}

/** The text of an end, as a database writes it. */
export function logEndText({ number, control, hash, queued }: SeenEnd): string {
  return `${number} ${control} ${hash} ${queued}`
}

export const logEndStatement: Prepared<object, { log_end: string }> = prepared((db) =>
  db.selectNoFrom(logEnd),
)
