import { invalidAttributes } from '../../engine/core/request/api-error.js'
import type { AdminRules } from '../../engine/core/write/rule.js'
import { workNumbers } from '../../engine/store/database/differences.js'
import type { Tx } from '../../engine/store/database/store.js'
import type { EventRow } from '../../engine/store/database/tables.js'
import { timeOfId } from '../../schema/id-time.js'
import { eventIdAt, newestEvent } from './event-ids.js'

const LIMIT = 100
/**
 * On SQLite only clocks of processes can put ids in another order than that in which they were committed: so many
 * milliseconds are shown again.
 */
const OVERLAP = 5_000

/** Up to where events were shown: to an id, or on PostgreSQL to one within a unit of work. */
interface EventPosition {
  readonly work: number | undefined
  readonly id: string
}

/** Lists events in the order in which they happened, and says how to ask for those that follow. */
export const readEventsRule: Pick<AdminRules, 'read_events'> = {
  read_events: {
    async perform({ tx }, { after, trigger, limit }) {
      const position = typeof after === 'string' ? positionAt(after) : undefined
      const most = limit ?? LIMIT
      const rows = await eventsOf(tx, position, trigger ?? undefined, most)
      return { events: rows.map(shown), next: await nextOf(tx, position, rows, rows.length === most) }
    },
  },
}

async function eventsOf(
  tx: Tx,
  position: EventPosition | undefined,
  trigger: EventRow['trigger'] | undefined,
  limit: number,
): Promise<readonly EventRow[]> {
  const events = tx.db
    .selectFrom('events')
    .selectAll()
    .$if(trigger !== undefined, (query) => query.where('trigger', '=', trigger ?? ''))
    .limit(limit)
  if (!position) return (await events.orderBy('id', 'desc').execute()).reverse()
  const { work, id } = position
  if (work === undefined) return await events.where('id', '>', id).orderBy('id').execute()
  const { next } = await workNumbers(tx)
  return await events
    .where(({ and, or, eb }) => or([eb('work', '>', work), and([eb('work', '=', work), eb('id', '>', id)])]))
    // In a database that was brought to another server there are some with numbers that are still to come.
    .where('work', '<', next)
    .orderBy('work')
    .orderBy('id')
    .execute()
}

/**
 * Where to go on so that nothing is passed over that is committed later than what was shown. On PostgreSQL that is behind
 * all units of work that have ended: what those that go on have written is shown again. When all was shown, it is behind
 * events of other triggers, too, or those would all be looked at again each time.
 */
async function nextOf(
  tx: Tx,
  position: EventPosition | undefined,
  rows: readonly EventRow[],
  isFull: boolean,
): Promise<string> {
  const last = rows.at(-1)
  const isMore = position !== undefined && isFull
  if (tx.dialect === 'postgres') {
    const { settled } = await workNumbers(tx)
    const { id = '', work = null } = last ?? {}
    return isMore && work !== null && work < settled ? `${work}.${id}` : `${settled}.`
  }
  if (isMore && last) return last.id
  const back = eventIdAt(timeOfId(await newestEvent(tx)) - OVERLAP)
  return last || !position || position.id < back ? back : position.id
}

/** An event's id, or what an answer gave as its `next`. */
function positionAt(after: string): EventPosition {
  const [, work, id] = /^(\d{1,15})\.(\w*)$/.exec(after) ?? []
  if (work !== undefined && id !== undefined) return { work: Number(work), id }
  if (!/^\w+$/.test(after))
    throw invalidAttributes({ after: 'Must be an event, or the next of an earlier answer' })
  return { work: undefined, id: after }
}

function shown(event: EventRow) {
  return {
    id: event.id,
    trigger: event.trigger,
    triggered_at: event.created_at,
    triggered_on_id: event.object_id,
    triggered_on_object: event.object,
    triggered_on_value: event.value,
    processing_id: event.processing_id,
    by: event.principal_id,
  }
}
