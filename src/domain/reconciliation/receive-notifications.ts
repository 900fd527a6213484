import { mayBeId } from '../../engine/core/request/route.js'
import type { Work } from '../../engine/core/write/work.js'
import type { WorkRunner } from '../../engine/jobs/due-job.js'
import { waitForName } from '../../engine/store/database/differences.js'
import { prepared } from '../../engine/store/database/prepared.js'
import type { GatewayNotification, Headers } from '../../gateways/contract.js'
import { resources } from '../../resources/resource-table.js'
import { maskCardNumbers } from '../../schema/card-data.js'
import { millisecondsOf } from '../../schema/datetime.js'
import type { Gateways } from '../gateways/gateways.js'

/** A request to the notification address of a gateway. */
export interface ReceivedNotification {
  readonly id: string
  readonly headers: Headers
  readonly body: Buffer
}

/** Maximum number of waiting notifications of a gateway: strangers can send false ones. */
export const MAX_WAITING = 10_000

/** Milliseconds between two updates of `notified_at`. */
const NOTED_AGAIN = 60_000

/**
 * Outcome of a request to the notification address of a gateway; `full`: too many wait already, and none was stored.
 */
export type NotificationReceipt = 'stored' | 'unknown' | 'full'

/**
 * Stores the events in a request to the notification address of a gateway. The signature is checked over the raw bytes
 * before any event is stored. Throws `BadSignature`.
 */
export async function receiveNotifications(
  { read, write }: WorkRunner,
  gateways: Gateways,
  { id, headers, body }: ReceivedNotification,
): Promise<NotificationReceipt> {
  const gateway = await read(async (work) => {
    const row = mayBeId(id) ? await work.find(resources.gateway, id) : undefined
    return row && (await gateways.connect(work, row))
  })
  if (!gateway?.receive) return 'unknown'
  const notifications = await gateway.receive(headers, body)
  if (notifications.length === 0) return 'stored'
  return await write(async (work) => {
    await noteNotified(work, id)
    return await storeNotifications(work, gateway.name, notifications)
  })
}

/** Notes when a gateway has last notified us, at most once a minute. */
async function noteNotified(work: Work, id: string): Promise<void> {
  const row = await work.find(resources.gateway, id)
  const isRecent =
    row?.notified_at !== null &&
    row?.notified_at !== undefined &&
    work.milliseconds - millisecondsOf(row.notified_at) < NOTED_AGAIN
  if (row && !isRecent) await work.change(resources.gateway, id, { notified_at: work.now })
}

/** Stores the events of a gateway, each once; stores none if too many wait. */
export async function storeNotifications(
  work: Work,
  gateway: string,
  notifications: readonly GatewayNotification[],
): Promise<'stored' | 'full'> {
  if ((await work.tx.run(oneTooMany, { gateway })).length > 0) return 'full'
  for (const { id, type, about, reference = null, gatewayId = null, raw } of notifications) {
    // The gateway may send the same notification twice at the same time.
    await waitForName(work.tx, `notification ${gateway} ${id}`)
    const known = await work.findBy(resources.gateway_notification, 'event_id', id)
    if (known.some((each) => each.gateway === gateway)) continue
    await work.insert(resources.gateway_notification, {
      ...work.blank(resources.gateway_notification),
      gateway,
      event_id: id,
      type,
      about,
      reference,
      gateway_id: gatewayId,
      raw: maskCardNumbers(raw),
      status: 'waiting',
    })
  }
  return 'stored'
}

/** The notification at the limit: if it exists, no more are stored. An index answers the query. */
const oneTooMany = prepared<{ gateway: string }, { id: string }>((db, param) =>
  db
    .selectFrom('admin_gateway_notifications')
    .select('id')
    .where('status', '=', 'waiting')
    .where('gateway', '=', param('gateway'))
    .limit(1)
    .offset(MAX_WAITING - 1),
)
