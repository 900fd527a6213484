import type { AdminRules } from '../../engine/core/write/rule.js'
import { lastSealed } from '../../engine/store/books/seal-log.js'
import type { Tx } from '../../engine/store/database/store.js'
import { QUEUES } from '../../resources/admin/counts-operation.js'
import { TRIGGERS } from '../../resources/trigger.js'
import { datetimeOf, millisecondsOf } from '../../schema/datetime.js'
import { eventIdAt } from '../webhooks/event-ids.js'

/** Milliseconds after which all events of a moment are considered committed; later events are not counted yet. */
const COMMITTED_AFTER = 10_000

/**
 * Counts events since a moment, up to some seconds ago, so that successive requests count each event once. Also counts
 * the work that waits.
 */
export const readCountsRule: Pick<AdminRules, 'read_counts'> = {
  read_counts: {
    async perform({ tx, realMilliseconds }, { since }) {
      const until = datetimeOf(realMilliseconds - COMMITTED_AFTER)
      return {
        until,
        events: await eventsBetween(tx, since ?? until, until),
        waiting: await waiting(tx),
        commits: (await lastSealed(tx)).number,
      }
    },
  },
}

async function eventsBetween({ db }: Tx, since: string, until: string) {
  const rows = await db
    .selectFrom('events')
    .select(({ fn }) => ['trigger', fn.countAll<number | string>().as('count')] as const)
    .where('id', '>=', eventIdAt(millisecondsOf(since)))
    .where('id', '<', eventIdAt(millisecondsOf(until)))
    .groupBy('trigger')
    .execute()
  const counts = new Map(rows.map(({ trigger, count }) => [trigger, Number(count)]))
  return TRIGGERS.map((trigger) => ({ trigger, count: counts.get(trigger) ?? 0 }))
}

async function waiting({ db }: Tx) {
  const counted = await db
    .selectNoFrom(({ selectFrom, fn }) => [
      selectFrom('deliveries').select(fn.countAll().as('n')).where('waiting', 'is not', null).as('webhooks'),
      selectFrom('admin_mail_messages')
        .select(fn.countAll().as('n'))
        .where('status', '=', 'queued')
        .as('mail'),
      selectFrom('admin_gateway_notifications')
        .select(fn.countAll().as('n'))
        .where('status', '=', 'waiting')
        .as('gateway_notifications'),
      selectFrom('transactions')
        .select(fn.countAll().as('n'))
        .where('pending_operation', 'is not', null)
        .as('outcomes'),
      selectFrom('admin_exceptions')
        .select(fn.countAll().as('n'))
        .where('status', '=', 'open')
        .as('exceptions'),
    ])
    .executeTakeFirstOrThrow()
  return QUEUES.map((queue) => ({ queue, count: Number(counted[queue]) }))
}
