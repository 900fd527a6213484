import type { Input } from '../../schema/types.js'
import type { GatewayNotification, Rail } from '../contract.js'
import { eventId } from '../notification-body.js'
import { UnknownOutcome } from '../unknown-outcome.js'
import { textIn } from './authorizenet-api.js'
import type { AuthorizeNetLists } from './authorizenet-lists.js'

const HOUR = 3_600_000
/** Milliseconds between two looks: banks return once a day. */
const BETWEEN = 12 * HOUR
/** Milliseconds after its settlement in which a bank payment may be returned: 60 days, and a weekend. */
const RETURN_PERIOD = 65 * 24 * HOUR

/**
 * Finds settled payments that a bank has returned. No webhook reports them: only the payment itself is marked, in its
 * settled batch. The cursor is the time of the last look.
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
