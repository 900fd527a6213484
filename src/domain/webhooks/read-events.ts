import { invalidAttributes } from '../../engine/core/request/api-error.js'
import type { AdminRules } from '../../engine/core/write/rule.js'
import { workNumbers } from '../../engine/store/database/differences.js'
import type { Tx } from '../../engine/store/database/store.js'
import type { EventRow } from '../../engine/store/database/tables.js'
import { timeOfId } from '../../schema/id-time.js'
import { eventIdAt, newestEvent } from './event-ids.js'

const LIMIT = 100
/**
 * Milliseconds by which a position on SQLite lies before the newest event, so that later events are shown again. On
 * SQLite, only different clocks of processes can put ids in another order than commits.
 */
const OVERLAP = 5_000

/** Position up to which events were shown: an id, and on PostgreSQL also its unit of work. */
interface EventPosition {
  readonly work: number | undefined
  readonly id: string
}

/** Lists events in the order of their ids, with the position at which the next request continues. */
export const readEventsRule: Pick<AdminRules, 'read_events'> = {
  read_events: {
    async perform({ tx }, { after, trigger, limit }) {
      const { rows, next } = await eventsAfter(tx, {
        after: after ?? undefined,
        trigger: trigger ?? undefined,
        limit: limit ?? LIMIT,
      })
      return { events: rows.map(shown), next }
    },
  },
}

interface RequestedEvents {
  /** An event's id, or the `next` of an earlier answer; undefined for the newest. */
  readonly after: string | undefined
  readonly trigger?: EventRow['trigger'] | undefined
  readonly limit: number
}

/** Events after a position, some perhaps again, and the position behind them. */
export async function eventsAfter(
  tx: Tx,
  { after, trigger, limit }: RequestedEvents,
): Promise<{ readonly rows: readonly EventRow[]; readonly next: string }> {
  const position = after === undefined ? undefined : positionAt(after)
  const rows = await eventsOf(tx, position, trigger, limit)
  return { rows, next: await nextOf(tx, position, rows, rows.length === limit) }
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
    // A database that was moved to another server may have numbers that are still to come there.
    .where('work', '<', next)
    .orderBy('work')
    .orderBy('id')
    .execute()
}

/**
 * The position behind which no event can appear later. On PostgreSQL it is behind all units of work that have ended;
 * events of those that still run are shown again. When all events were shown, the position is also behind events of
 * other triggers, so that they are not read again each time.
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

/** Parses an event's id or the `next` of an answer. */
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
