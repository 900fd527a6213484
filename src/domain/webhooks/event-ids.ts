import type { Tx } from '../../engine/store/database/store.js'
import { digitsOfTime } from '../../schema/id-time.js'

/** The id of the newest event; an empty text, which is less than any id, if there is none. */
export async function newestEvent({ db }: Tx): Promise<string> {
  const newest = await db.selectFrom('events').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
  return newest?.id ?? ''
}

/** Prefix of the ids of events that are made at a time. */
export function eventIdAt(milliseconds: number): string {
  return `evt_${digitsOfTime(Math.max(milliseconds, 0))}`
}
