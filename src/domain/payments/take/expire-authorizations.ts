import type { Work } from '../../../engine/core/write/work.js'
import type { DueJob, WorkRunner } from '../../../engine/jobs/due-job.js'
import { severalAtOnce } from '../../../engine/jobs/several-at-once.js'
import { type Prepared, prepared } from '../../../engine/store/database/prepared.js'
import type { Tx } from '../../../engine/store/database/store.js'
import { resources } from '../../../resources/resource-table.js'
import { datetimeOf, millisecondsOf } from '../../../schema/datetime.js'
import type { Gateways } from '../../gateways/gateways.js'
import { voidPayment } from './void-payment.js'

/** Longest time from authorization to capture: 7 days, in milliseconds. */
const LIFETIME = 7 * 86_400_000
/** Rows per query. */
const BATCH_SIZE = 100

/**
 * Voids authorized payments at the first of three limits: 7 days, the end that the gateway named for the payment, or
 * the gateway's own limit. With a `lane`, covers the payments of that gateway. Without a lane, covers payments of no
 * gateway outside this machine. Each payment has its own unit of work; several run at the same time. See
 * docs/money.md, "A payment's status".
 */
export function expireAuthorizations(gateways: Gateways, lane?: string): DueJob {
  return {
    name: 'expire_authorizations',
    lane,
    async next(work, after) {
      const [first] = await work.tx.run(firstAuthorized, { after: datetimeOf(after - LIFETIME) })
      const found = first ? [millisecondsOf(first.created_at) + LIFETIME] : []
      const [ending] = await work.tx.run(firstEnding, { after: datetimeOf(after) })
      if (ending) found.push(millisecondsOf(ending.capture_before))
      for (const { gateway, lifetime } of await shorter(work, gateways, lane)) {
        const [own] = await work.tx.run(firstAt, { after: datetimeOf(after - lifetime), gateway })
        if (own) found.push(millisecondsOf(own.created_at) + lifetime)
      }
      return found.length > 0 ? Math.min(...found) : undefined
    },
    // Only authorizations that end after `after` are read, because none is added that ends earlier. A payment that
    // cannot be voided now, because its gateway is paused or gone, is retried when the scheduler next searches for all
    // undone work.
    async run(runner, at, after) {
      let count = 0
      const expireAll = async (find: (last?: Authorized) => Promise<readonly Authorized[]>) => {
        let last: Authorized | undefined
        do {
          const expired = await find(last)
          const own = await runner.read((work) => ofLane(work, gateways, lane, expired))
          await severalAtOnce(own, async ({ id }) => {
            if (await runner.write((work) => expire(work, gateways, id))) count++
          })
          last = expired.at(-1)
        } while (last)
      }
      await expireAll((last) => findExpired(runner, expiredAfter, stretch(after, at, LIFETIME), last))
      await expireAll((last) => findExpired(runner, endedAfter, stretch(after, at, 0), last))
      for (const { gateway, lifetime } of await runner.read((work) => shorter(work, gateways, lane)))
        await expireAll((last) =>
          findExpired(runner, expiredAt, { ...stretch(after, at, lifetime), gateway }, last),
        )
      return count
    },
  }
}

/** The gateway of a lane with its limit in milliseconds, if that is below 7 days; otherwise an empty list. */
async function shorter(work: Work, gateways: Gateways, lane: string | undefined) {
  const gateway = lane === undefined ? undefined : await gateways.forStatus(work, { gateway: lane })
  const lifetime = gateway?.capabilities.authorizationLifetime ?? LIFETIME
  return gateway && lifetime < LIFETIME ? [{ gateway: gateway.name, lifetime }] : []
}

/** Selects the payments whose gateway has this lane. */
async function ofLane(
  work: Work,
  gateways: Gateways,
  lane: string | undefined,
  payments: readonly Authorized[],
): Promise<readonly Authorized[]> {
  const own: Authorized[] = []
  for (const each of payments) if ((await gateways.laneOf(work, each)) === lane) own.push(each)
  return own
}

/** Voids a payment, unless it was captured or voided in the meantime, or its gateway is paused. */
async function expire(work: Work, gateways: Gateways, id: string): Promise<boolean> {
  const row = await work.lock(resources.transaction, id)
  if (row?.status !== 'authorized' || row.pending_operation !== null) return false
  const gateway = await gateways.forOperation(work, row)
  if (!gateway) return false
  await voidPayment(work, gateway, id)
  return true
}

interface Authorized {
  readonly id: string
  readonly created_at: string
  readonly gateway: string | null
}

async function findExpired<P extends object>(
  runner: WorkRunner,
  statement: Prepared<P & { created: string; id: string }, Authorized>,
  params: P,
  last: Authorized | undefined,
): Promise<readonly Authorized[]> {
  const { id = '', created_at: created = '' } = last ?? {}
  return await runner.read(({ tx }) => tx.run(statement, { ...params, created, id }))
}

const firstAuthorized = prepared<{ after: string }, Pick<Authorized, 'created_at'>>((db, param) =>
  authorized(db).select('created_at').where('created_at', '>', param('after')).orderBy('created_at').limit(1),
)

/** The oldest authorized payment of one gateway that was created after `after`. */
const firstAt = prepared<{ after: string; gateway: string }, Pick<Authorized, 'created_at'>>((db, param) =>
  authorized(db)
    .select('created_at')
    .where('gateway', '=', param('gateway'))
    .where('created_at', '>', param('after'))
    .orderBy('created_at')
    .limit(1),
)

/**
 * Range of creation times of the payments whose lifetime ends after `after` and not later than `until`. Takes
 * milliseconds since 1970, returns datetimes.
 */
function stretch(after: number, until: number, lifetime: number) {
  return { after: datetimeOf(after - lifetime), until: datetimeOf(until - lifetime) }
}

interface After {
  after: string
  until: string
  created: string
  id: string
}

/** The next authorized payments that were created in a range, oldest first. */
const expiredAfter = prepared<After, Authorized>((db, param) =>
  authorized(db)
    .select(['id', 'created_at', 'gateway'])
    .where('created_at', '>', param('after'))
    .where('created_at', '<=', param('until'))
    .where('created_at', '>=', param('created'))
    .where((eb) => eb.or([eb('created_at', '>', param('created')), eb('id', '>', param('id'))]))
    .orderBy('created_at')
    .orderBy('id')
    .limit(BATCH_SIZE),
)

const firstEnding = prepared<{ after: string }, { capture_before: string }>((db, param) =>
  authorized(db)
    .select((eb) => eb.ref('capture_before').$notNull().as('capture_before'))
    .where('capture_before', '>', param('after'))
    .orderBy('capture_before')
    .limit(1),
)

/**
 * The next authorized payments whose `capture_before` is in a range, oldest first. There are many only after a
 * downtime.
 */
const endedAfter = prepared<After, Authorized>((db, param) =>
  authorized(db)
    .select(['id', 'created_at', 'gateway'])
    .where('capture_before', '>', param('after'))
    .where('capture_before', '<=', param('until'))
    .where('created_at', '>=', param('created'))
    .where((eb) => eb.or([eb('created_at', '>', param('created')), eb('id', '>', param('id'))]))
    .orderBy('created_at')
    .orderBy('id')
    .limit(BATCH_SIZE),
)

/** The next authorized payments of one gateway that were created in a range, oldest first. */
const expiredAt = prepared<After & { gateway: string }, Authorized>((db, param) =>
  authorized(db)
    .select(['id', 'created_at', 'gateway'])
    .where('gateway', '=', param('gateway'))
    .where('created_at', '>', param('after'))
    .where('created_at', '<=', param('until'))
    .where('created_at', '>=', param('created'))
    .where((eb) => eb.or([eb('created_at', '>', param('created')), eb('id', '>', param('id'))]))
    .orderBy('created_at')
    .orderBy('id')
    .limit(BATCH_SIZE),
)

function authorized(db: Tx['db']) {
  return db
    .selectFrom('transactions')
    .where('status', '=', 'authorized')
    .where('pending_operation', 'is', null)
    .where('deleted_at', 'is', null)
}
