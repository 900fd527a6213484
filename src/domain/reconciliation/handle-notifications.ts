import { ApiError } from '../../engine/core/request/api-error.js'
import { mayBeId } from '../../engine/core/request/route.js'
import type { Rule, Work } from '../../engine/core/write/work.js'
import type { WorkRunner } from '../../engine/jobs/due-job.js'
import { prepared } from '../../engine/store/database/prepared.js'
import type { GatewayNotificationRow } from '../../engine/store/database/tables.js'
import type { GatewayNotification, Headers, RemoteGateway } from '../../gateways/contract.js'
import type { Turn } from '../../platform/network/turn.js'
import { resources } from '../../resources/resource-table.js'
import { datetimeOf } from '../../schema/datetime.js'
import { type Gateways, limitedBy } from '../gateways/gateways.js'
import { recordNotice } from './record-notice.js'

/** Notifications handled at once, and stored in one unit of work. */
const BATCH_SIZE = 100
/** Events that a gateway may list at once. */
const MAX_POLLED = 10_000

/** Stores the events of a gateway, each once. */
async function storeNotifications(
  work: Work,
  gateway: string,
  notifications: readonly GatewayNotification[],
): Promise<void> {
  for (const { id, type, about, reference = null, gatewayId = null, raw } of notifications) {
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
      raw,
      status: 'waiting',
    })
  }
}

/**
 * Stores a request to the address of a gateway; returns whether there is such a gateway. The signature is checked
 * over the raw bytes before any event is stored. Throws `BadSignature`.
 */
export async function receiveNotifications(
  { read, write }: WorkRunner,
  gateways: Gateways,
  { id, headers, body }: { readonly id: string; readonly headers: Headers; readonly body: Buffer },
): Promise<boolean> {
  const gateway = await read(async (work) => {
    const row = mayBeId(id) ? await work.find(resources.gateway, id) : undefined
    return row && (await gateways.connect(work, row))
  })
  if (!gateway?.receive) return false
  const notifications = await gateway.receive(headers, body)
  await write((work) => storeNotifications(work, gateway.name, notifications))
  return true
}

/** A turn at one gateway. */
export interface AtGateway {
  readonly gateways: Gateways
  /** Name of the gateway. */
  readonly name: string
  readonly turn: Turn
}

/** Polls a gateway for its events and stores these; the cursor moves on when all of them are stored. */
export async function pollNotifications(
  { read, write }: WorkRunner,
  { gateways, name, turn }: AtGateway,
): Promise<void> {
  const polled = await read((work) => gateways.withRow(work, name))
  if (!polled) return
  const { row } = polled
  const gateway = limitedBy(turn, polled.gateway)
  if (!gateway.notifications) return
  const before = row?.notifications_cursor ?? null
  const { notifications, cursor } = await gateway.notifications(before)
  if (notifications.length > MAX_POLLED)
    throw new Error(
      `The gateway ${name} lists ${notifications.length} events at once, more than ${MAX_POLLED}`,
    )
  if (notifications.length === 0 && cursor === before) return
  for (let start = 0; start < notifications.length; start += BATCH_SIZE)
    await write((work) => storeNotifications(work, name, notifications.slice(start, start + BATCH_SIZE)))
  if (row) await write((work) => work.change(resources.gateway, row.id, { notifications_cursor: cursor }))
  gateways.changed()
}

/** A notification that cannot be handled now, with the reason. */
export interface UnhandledNotification {
  readonly id: string
  readonly problem: unknown
}

/**
 * Handles the waiting notifications of a gateway: reads the object of each from it and records it. Failed ones are
 * retried after new ones, so that they delay none. After the end of the turn the rest continues to wait.
 */
export async function handleNotifications(
  runner: WorkRunner,
  at: AtGateway,
  stopping?: AbortSignal,
): Promise<readonly UnhandledNotification[]> {
  const { name: gateway, turn } = at
  const unhandled: UnhandledNotification[] = []
  const handleEach = async (rows: readonly GatewayNotificationRow[]) => {
    for (const row of rows) {
      if (turn.end !== undefined) return
      const problem = await problemWith(runner, at, row)
      if (problem === undefined || stopping?.aborted) continue
      await runner.write((work) =>
        work.change(resources.gateway_notification, row.id, { problem: problem.message }),
      )
      unhandled.push({ id: row.id, problem })
    }
  }
  const untried = async () => await runner.read(({ tx }) => tx.run(notTried, { gateway }))
  const again = await runner.read(({ tx }) => tx.run(triedBefore, { gateway }))
  for (let fresh = await untried(); fresh.length > 0; fresh = await untried()) {
    if (turn.end !== undefined) return unhandled
    await handleEach(fresh)
  }
  await handleEach(again)
  return unhandled
}

const notTried = prepared<{ gateway: string }, GatewayNotificationRow>((db, param) =>
  db
    .selectFrom('admin_gateway_notifications')
    .selectAll()
    .where('gateway', '=', param('gateway'))
    .where('status', '=', 'waiting')
    .where('problem', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .limit(BATCH_SIZE),
)

/** Failed notifications, the longest untried first, so that each has its turn. */
const triedBefore = prepared<{ gateway: string }, GatewayNotificationRow>((db, param) =>
  db
    .selectFrom('admin_gateway_notifications')
    .selectAll()
    .where('gateway', '=', param('gateway'))
    .where('status', '=', 'waiting')
    .where('problem', 'is not', null)
    .orderBy('modified_at')
    .orderBy('id')
    .limit(BATCH_SIZE),
)

/** Handles a notification; returns the reason why it cannot be handled now, if any. */
async function problemWith(
  runner: WorkRunner,
  at: AtGateway,
  row: GatewayNotificationRow,
): Promise<Error | undefined> {
  try {
    await handle(runner, at, row)
    return undefined
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

async function handle(
  { read, write }: WorkRunner,
  { gateways, turn }: AtGateway,
  row: GatewayNotificationRow,
): Promise<void> {
  const gateway = await read((work) => gateways.forStatus(work, row))
  const limited = gateway && limitedBy(turn, gateway)
  const notices = limited?.read ? await limited.read(notificationOf(row)) : []
  for (const notice of notices) await write((work) => recordNotice(work, knownGateway(gateway, row), notice))
  await write(async (work) => {
    if (row.about === 'settlement') await settleSoon(work, row)
    await work.change(resources.gateway_notification, row.id, {
      status: 'handled',
      problem: null,
      handled_at: work.now,
    })
  })
}

/** Makes the gateway's settlements due again, to be read a second later. */
async function settleSoon(work: Work, { gateway }: GatewayNotificationRow): Promise<void> {
  const [row] = await work.findBy(resources.gateway, 'name', gateway ?? '')
  if (row)
    await work.change(resources.gateway, row.id, {
      settlements_due_at: datetimeOf(work.milliseconds + 1000),
    })
}

function knownGateway(gateway: RemoteGateway | undefined, row: GatewayNotificationRow): RemoteGateway {
  if (gateway) return gateway
  throw new Error(`The gateway ${row.gateway} is not connected any more`)
}

function notificationOf({
  event_id: id,
  type,
  about,
  reference,
  gateway_id,
  raw,
}: GatewayNotificationRow): GatewayNotification {
  return {
    id: id ?? '',
    type: type ?? '',
    about: about ?? 'nothing',
    raw: raw ?? '',
    reference: reference ?? undefined,
    gatewayId: gateway_id ?? undefined,
  }
}

/** Lets an operator have a notification handled again, which happens in the next run. */
export const notificationRule: Rule<typeof resources.gateway_notification> = {
  actions: {
    handle: {
      async perform(work, row) {
        if (row.status === 'waiting') throw new ApiError('Conflict', `${row.id} waits to be handled`)
        return await work.change(resources.gateway_notification, row.id, {
          status: 'waiting',
          handled_at: null,
        })
      },
    },
  },
}
