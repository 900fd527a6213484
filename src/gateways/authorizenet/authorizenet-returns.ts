import type { Input } from '../../schema/types.js'
import type { GatewayNotification, Rail } from '../contract.js'
import { eventId } from '../notification-body.js'
import { UnknownOutcome } from '../unknown-outcome.js'
import { textIn } from './authorizenet-api.js'
import type { AuthorizeNetLists } from './authorizenet-lists.js'

const HOUR = 3_600_000
/** Milliseconds between two polls. Banks send returns once a day. */
const BETWEEN = 12 * HOUR
/** Milliseconds after settlement in which a bank may return a payment: 60 days, and some days more. */
const RETURN_PERIOD = 65 * 24 * HOUR

/**
 * Polls for settled payments that a bank has returned. No webhook reports a return; the payment is only marked in its
 * settled batch. The cursor is the time of the last poll.
 */
export function authorizeNetReturns(
  lists: AuthorizeNetLists,
  now: () => number,
): NonNullable<Rail['notifications']> {
  return async (cursor, credentials) => {
    const to = now()
    if (cursor !== null && Math.abs(to - Date.parse(cursor)) < BETWEEN) return { notifications: [], cursor }
    const notifications: GatewayNotification[] = []
    const batches = await lists.batches({ from: to - RETURN_PERIOD, to }, credentials)
    for (const { id } of batches.filter(({ isOfCards }) => !isOfCards)) {
      const rows = await lists.inBatch(id, credentials)
      if (!rows) throw new UnknownOutcome(`The batch ${id} changed while it was read`)
      notifications.push(...rows.flatMap(returnedIn))
    }
    return { notifications, cursor: new Date(to).toISOString() }
  }
}

function returnedIn(row: Input): readonly GatewayNotification[] {
  const gatewayId = eventId(textIn(row, 'transId'))
  if (gatewayId === undefined || String(row.hasReturnedItems) !== 'true') return []
  const raw = JSON.stringify({ transId: gatewayId, hasReturnedItems: true })
  return [{ id: `returned ${gatewayId}`, type: 'returned', about: 'operation', gatewayId, raw }]
}
