import { ApiError } from '../../engine/core/request/api-error.js'
import { mayBeId } from '../../engine/core/request/route.js'
import type { Rule, Work } from '../../engine/core/write/work.js'
import type { WorkRunner } from '../../engine/jobs/due-job.js'
import { prepared } from '../../engine/store/database/prepared.js'
import type { GatewayNotificationRow } from '../../engine/store/database/tables.js'
import type { GatewayNotification, Headers, RemoteGateway } from '../../gateways/contract.js'
import { resources } from '../../resources/resource-table.js'
import { datetimeOf } from '../../schema/datetime.js'
import type { Gateways } from '../gateways/gateways.js'
import { recordNotice } from './record-notice.js'

/** How many are handled at once. */
const BATCH_SIZE = 100

/** Stores what a gateway says, each event once. */
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
 * Stores what came to the address of a gateway; answers whether there is one. It is read over the raw bytes before anything
 * is stored. Throws `BadSignature`.
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

/**
 * Asks the gateways that are polled, and stores what they say. One that cannot be asked keeps nobody waiting: it is asked
 * again, and why is reported. When `stopping` is aborted, the others are not asked any more.
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

/** Answers whether it said anything. */
async function poll({ write }: WorkRunner, { gateway, row }: Polled): Promise<boolean> {
  if (!gateway.notifications) return false
  const before = row?.notifications_cursor ?? null
  const { notifications, cursor } = await gateway.notifications(before)
  if (notifications.length === 0 && cursor === before) return false
  await write(async (work) => {
    await storeNotifications(work, gateway.name, notifications)
    if (row) await work.change(resources.gateway, row.id, { notifications_cursor: cursor })
  })
  return true
}

/** What could not be handled now, and why. */
export interface UnhandledNotification {
  readonly id: string
  readonly problem: unknown
}

/**
 * Handles what waits: what each is about is read from its gateway, and recorded. What cannot be now is tried again, however
 * much that is, after what is new: nothing waits behind it. When `stopping` is aborted, the rest goes on waiting.
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
        const problem = error instanceof Error ? error.message : String(error)
        await runner.write((work) => work.change(resources.gateway_notification, row.id, { problem }))
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

/** Those that have waited longest since they were tried: each has its turn. */
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

/** What it has settled is read when what is due is looked at next, a second later. */
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

/** An operator may have it handled again; that happens with the next look at what waits. */
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
