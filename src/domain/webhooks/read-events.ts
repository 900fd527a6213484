import type { AdminRules } from '../../engine/core/write/rule.js'

const LIMIT = 100

/** Lists events in the order in which they happened. */
export const readEventsRule: Pick<AdminRules, 'read_events'> = {
  read_events: {
    async perform({ tx: { db } }, { after, trigger, limit }) {
      const newest = typeof after === 'string' ? undefined : 'desc'
      const rows = await db
        .selectFrom('events')
        .selectAll()
        .$if(typeof after === 'string', (query) => query.where('id', '>', after ?? ''))
        .$if(typeof trigger === 'string', (query) => query.where('trigger', '=', trigger ?? ''))
        .orderBy('id', newest ?? 'asc')
        .limit(limit ?? LIMIT)
        .execute()
      const events = (newest ? rows.reverse() : rows).map((event) => ({
        id: event.id,
        trigger: event.trigger,
        triggered_at: event.created_at,
        triggered_on_id: event.object_id,
        triggered_on_object: event.object,
        triggered_on_value: event.value,
        processing_id: event.processing_id,
        by: event.principal_id,
      }))
      return { events }
    },
  },
}
