import type { Work } from '../../engine/core/write/work.js'
import type { DueJob, WorkRunner } from '../../engine/jobs/job.js'
import { prepared } from '../../engine/store/database/prepared.js'
import { datetimeOf, millisecondsOf } from '../../schema/datetime.js'
import type { Gateways } from '../gateways/gateways.js'
import { voidPayment } from './void-payment.js'

/** How long an authorized payment waits to be captured: 7 days. */
const LIFETIME = 7 * 86_400_000
/** How many are looked for at once. */
const BATCH_SIZE = 100

/** Voids payments that stayed authorized for 7 days, each in a unit of work. Money: "transaction.status". */
export function expireAuthorizations(gateways: Gateways): DueJob {
  return {
    name: 'expire_authorizations',
    async next({ tx }, after) {
      const [first] = await tx.run(firstAuthorized, { after: datetimeOf(after - LIFETIME) })
      return first && millisecondsOf(first.created_at) + LIFETIME
    },
    async run(runner, at) {
      let count = 0
      let last: Authorized | undefined
      do {
        const expired = await findExpired(runner, at, last)
        for (const { id } of expired) if (await runner.write((work) => expire(work, gateways, id))) count++
        last = expired.at(-1)
      } while (last)
      return count
    },
  }
}

/** Voids a payment, unless it was captured or voided in the meantime, or its gateway is paused. */
async function expire(work: Work, gateways: Gateways, id: string): Promise<boolean> {
  const row = await work.lock('transaction', id)
  if (row?.status !== 'authorized' || row.open_operation !== null) return false
  const gateway = await gateways.taking(work, row)
  if (!gateway) return false
  await voidPayment(work, gateway, id)
  return true
}

interface Authorized {
  readonly id: string
  readonly created_at: string
}

async function findExpired(
  runner: WorkRunner,
  at: number,
  last: Authorized | undefined,
): Promise<Authorized[]> {
  const { id, created_at: created } = last ?? { id: '', created_at: '' }
  return await runner.read(({ tx }) =>
    tx.run(expiredAfter, { until: datetimeOf(at - LIFETIME), created, id }),
  )
}

const firstAuthorized = prepared<{ after: string }, Pick<Authorized, 'created_at'>>((db, param) =>
  db
    .selectFrom('transactions')
    .select('created_at')
    .where('status', '=', 'authorized')
    .where('open_operation', 'is', null)
    .where('deleted_at', 'is', null)
    .where('created_at', '>', param('after'))
    .orderBy('created_at')
    .limit(1),
)

/** The next ones in the order of their age. */
const expiredAfter = prepared<{ until: string; created: string; id: string }, Authorized>((db, param) =>
  db
    .selectFrom('transactions')
    .select(['id', 'created_at'])
    .where('status', '=', 'authorized')
    .where('open_operation', 'is', null)
    .where('deleted_at', 'is', null)
    .where('created_at', '<=', param('until'))
    .where('created_at', '>=', param('created'))
    .where((eb) => eb.or([eb('created_at', '>', param('created')), eb('id', '>', param('id'))]))
    .orderBy('created_at')
    .orderBy('id')
    .limit(BATCH_SIZE),
)
