import { ApiError } from '../../engine/core/request/api-error.js'
import type { Rule, Work } from '../../engine/core/write/work.js'
import type { WorkRunner } from '../../engine/jobs/due-job.js'
import { prepared } from '../../engine/store/database/prepared.js'
import type { GatewayNotificationRow } from '../../engine/store/database/tables.js'
import type { GatewayNotification, RemoteGateway } from '../../gateways/contract.js'
import type { ReadBudget } from '../../platform/network/read-budget.js'
import { resources } from '../../resources/resource-table.js'
import { datetimeOf, millisecondsOf } from '../../schema/datetime.js'
import { type Gateways, limitedBy } from '../gateways/gateways.js'
import { noteRead } from '../gateways/note-read.js'
import { storeNotifications } from './receive-notifications.js'
import { recordNotice } from './record-notice.js'

/** Maximum number of notifications that are handled at once, or stored in one unit of work. */
const BATCH_SIZE = 100
/** Maximum number of events that a gateway may list in one poll. */
const MAX_POLLED = 10_000

/** Longest reason that is stored, in characters. */
const MAX_PROBLEM = 1_000
/** Milliseconds after which a notification that cannot be handled is given up. */
const GIVEN_UP_AFTER = 3 * 86_400_000

/** A gateway, and the budget within which it is read. */
export interface AtGateway {
  readonly gateways: Gateways
  /** Name of the gateway. */
  readonly name: string
  readonly budget: ReadBudget
}

/** Polls a gateway for its events and stores these; the cursor is stored only after all events are stored. */
export async function pollNotifications(
  { read, write }: WorkRunner,
  { gateways, name, budget }: AtGateway,
): Promise<void> {
  const polled = await read((work) => gateways.withRow(work, name))
  if (!polled) return
  const { row } = polled
  const gateway = limitedBy(budget, polled.gateway)
  if (!gateway.notifications) return
  const before = row?.notifications_cursor ?? null
  const { notifications, cursor } = await gateway.notifications(before)
  if (notifications.length > MAX_POLLED)
    throw new Error(
      `The gateway ${name} lists ${notifications.length} events at once, more than ${MAX_POLLED}`,
    )
  if (notifications.length === 0 && cursor === before) return
  for (let start = 0; start < notifications.length; start += BATCH_SIZE) {
    const batch = notifications.slice(start, start + BATCH_SIZE)
    // Notifications that were not stored are listed again.
    if ((await write((work) => storeNotifications(work, name, batch))) === 'full') return
  }
  if (row) await write((work) => noteRead(work, row.id, { notifications_cursor: cursor }))
  gateways.changed()
}

/** A notification that cannot be handled now, with the reason. */
export interface UnhandledNotification {
  readonly id: string
  readonly problem: unknown
}

/**
 * Handles the waiting notifications of a gateway: reads the object of each from the gateway and records it. Failed
 * notifications are retried after the new ones, which they do not delay. When the budget is spent, the rest waits;
 * notifications that have failed for three days are given up.
 */
export async function handleNotifications(
  runner: WorkRunner,
  at: AtGateway,
  stopping?: AbortSignal,
): Promise<readonly UnhandledNotification[]> {
  const unhandled = await handleWaiting(runner, at, stopping)
  if (!stopping?.aborted && at.budget.end !== undefined) await giveUpOld(runner, at.name)
  return unhandled
}

async function handleWaiting(
  runner: WorkRunner,
  at: AtGateway,
  stopping: AbortSignal | undefined,
): Promise<readonly UnhandledNotification[]> {
  const { name: gateway, budget } = at
  const unhandled: UnhandledNotification[] = []
  const handleEach = async (rows: readonly GatewayNotificationRow[]) => {
    for (const row of rows) {
      if (budget.end !== undefined) return
      const problem = await problemWith(runner, at, row)
      if (problem === undefined || stopping?.aborted) continue
      await runner.write((work) => noteUnhandled(work, row, problem.message.slice(0, MAX_PROBLEM)))
      unhandled.push({ id: row.id, problem })
    }
  }
  const untried = async () => await runner.read(({ tx }) => tx.run(notTried, { gateway }))
  const again = await runner.read(({ tx }) => tx.run(triedBefore, { gateway }))
  for (let fresh = await untried(); fresh.length > 0; fresh = await untried()) {
    if (budget.end !== undefined) return unhandled
    await handleEach(fresh)
  }
  await handleEach(again)
  return unhandled
}

/** Keeps a notification for the next run, or gives it up after three days. */
async function noteUnhandled(work: Work, row: GatewayNotificationRow, problem: string): Promise<void> {
  const isOver = work.milliseconds >= millisecondsOf(row.created_at) + GIVEN_UP_AFTER
  await work.change(resources.gateway_notification, row.id, {
    problem,
    ...(isOver && { status: 'given_up', handled_at: work.now }),
  })
}

/**
 * Gives up notifications that have failed for three days. Otherwise those of a slow gateway would wait for ever and
 * fill its queue.
 */
async function giveUpOld({ read, write }: WorkRunner, gateway: string): Promise<void> {
  for (let count = BATCH_SIZE; count === BATCH_SIZE; ) {
    const rows = await read(({ tx, milliseconds }) =>
      tx.run(failedUntil, { gateway, until: datetimeOf(milliseconds - GIVEN_UP_AFTER) }),
    )
    await write(async (work) => {
      for (const { id } of rows) {
        const row = await work.lock(resources.gateway_notification, id)
        if (row?.status === 'waiting') await noteUnhandled(work, row, row.problem ?? '')
      }
    })
    count = rows.length
  }
}

const failedUntil = prepared<{ gateway: string; until: string }, { id: string }>((db, param) =>
  db
    .selectFrom('admin_gateway_notifications')
    .select('id')
    .where('gateway', '=', param('gateway'))
    .where('status', '=', 'waiting')
    .where('problem', 'is not', null)
    .where('created_at', '<=', param('until'))
    .orderBy('created_at')
    .orderBy('id')
    .limit(BATCH_SIZE),
)

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
  { gateways, budget }: AtGateway,
  row: GatewayNotificationRow,
): Promise<void> {
  const gateway = await read((work) => gateways.forStatus(work, row))
  const limited = gateway && limitedBy(budget, gateway)
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

/** Rule of notifications: an operator may have one handled again, which happens in the next run. */
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
