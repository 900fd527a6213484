import { ApiError } from '../../engine/core/request/api-error.js'
import type { Rule, Work } from '../../engine/core/write/work.js'
import type { WorkRunner } from '../../engine/jobs/due-job.js'
import { prepared } from '../../engine/store/database/prepared.js'
import type { GatewayNotificationRow } from '../../engine/store/database/tables.js'
import type { GatewayNotification, RemoteGateway } from '../../gateways/contract.js'
import { resources } from '../../resources/resource-table.js'
import { datetimeOf, millisecondsOf } from '../../schema/datetime.js'
import type { Gateways } from '../gateways/gateways.js'
import { noteRead } from '../gateways/note-read.js'
import { storeNotifications } from './receive-notifications.js'
import { recordNotice } from './record-notice.js'

/** Notifications handled at once. */
const BATCH_SIZE = 100

/** The longest reason that is stored. */
const MAX_PROBLEM = 1_000
/** Milliseconds after which a notification that cannot be handled is given up. */
const GIVEN_UP_AFTER = 3 * 86_400_000

/**
 * Polls gateways for their events and stores these. A gateway that fails does not delay the others: the error is
 * reported, and the next run polls it again. When `stopping` is aborted, the remaining gateways are not polled.
 */
export async function pollNotifications(
  runner: WorkRunner,
  gateways: Gateways,
  report: (error: unknown) => void,
  stopping?: AbortSignal,
): Promise<void> {
  for (const polled of await runner.read((work) => gateways.remote(work))) {
    if (stopping?.aborted) return
    if (await poll(runner, polled).catch(report)) gateways.changed()
  }
}

type Polled = Awaited<ReturnType<Gateways['remote']>>[number]

/** Returns whether there were notifications. */
async function poll({ write }: WorkRunner, { gateway, row }: Polled): Promise<boolean> {
  if (!gateway.notifications) return false
  const before = row?.notifications_cursor ?? null
  const { notifications, cursor } = await gateway.notifications(before)
  if (notifications.length === 0 && cursor === before) return false
  return await write(async (work) => {
    // What is not stored is listed again.
    if ((await storeNotifications(work, gateway.name, notifications)) === 'full') return false
    if (row) await noteRead(work, row.id, { notifications_cursor: cursor })
    return true
  })
}

/** A notification that cannot be handled now, with the reason. */
export interface UnhandledNotification {
  readonly id: string
  readonly problem: unknown
}

/**
 * Handles waiting notifications: reads the object of each from its gateway and records it. Failed ones are retried
 * after new ones, so that they delay none. When `stopping` is aborted, the rest continues to wait.
 */
export async function handleNotifications(
  runner: WorkRunner,
  gateways: Gateways,
  stopping?: AbortSignal,
): Promise<readonly UnhandledNotification[]> {
  const unhandled: UnhandledNotification[] = []
  const handleEach = async (rows: readonly GatewayNotificationRow[]) => {
    for (const row of rows) {
      if (stopping?.aborted) return
      try {
        await handle(runner, gateways, row)
      } catch (error) {
        const problem = (error instanceof Error ? error.message : String(error)).slice(0, MAX_PROBLEM)
        await runner.write((work) => noteUnhandled(work, row, problem))
        unhandled.push({ id: row.id, problem: error })
      }
    }
  }
  const again = await runner.read(({ tx }) => tx.run(triedBefore, {}))
  for (let fresh = await untried(runner); fresh.length > 0; fresh = await untried(runner)) {
    if (stopping?.aborted) return unhandled
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

async function untried({ read }: WorkRunner): Promise<readonly GatewayNotificationRow[]> {
  return await read(({ tx }) => tx.run(notTried, {}))
}

const notTried = prepared<object, GatewayNotificationRow>((db) =>
  db
    .selectFrom('admin_gateway_notifications')
    .selectAll()
    .where('status', '=', 'waiting')
    .where('problem', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .limit(BATCH_SIZE),
)

/** Failed notifications, the longest untried first, so that each has its turn. */
const triedBefore = prepared<object, GatewayNotificationRow>((db) =>
  db
    .selectFrom('admin_gateway_notifications')
    .selectAll()
    .where('status', '=', 'waiting')
    .where('problem', 'is not', null)
    .orderBy('modified_at')
    .orderBy('id')
    .limit(BATCH_SIZE),
)

async function handle(
  { read, write }: WorkRunner,
  gateways: Gateways,
  row: GatewayNotificationRow,
): Promise<void> {
  const gateway = await read((work) => gateways.forStatus(work, row))
  const notices = gateway?.read ? await gateway.read(notificationOf(row)) : []
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
