import type { Tx } from '../../engine/store/database/store.js'
import { digitsOfTime } from '../../schema/id-time.js'

/** The id of the newest event; nothing is less. */
export async function newestEvent({ db }: Tx): Promise<string> {
  const newest = await db.selectFrom('events').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
  return newest?.id ?? ''
}

/** What the ids of events at a time begin with. */
export function eventIdAt(milliseconds: number): string {
  return `evt_${digitsOfTime(Math.max(milliseconds, 0))}`
}
