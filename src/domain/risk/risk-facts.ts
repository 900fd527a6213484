import { sql } from 'kysely'
import type { Work } from '../../engine/core/write/work.js'
import { prepared } from '../../engine/store/database/prepared.js'
import { scalar } from '../../engine/store/database/raw-use.js'
import type { PaymentMethodRow } from '../../engine/store/database/tables.js'
import { datetimeOf } from '../../schema/datetime.js'
import type { Minor } from '../../schema/money.js'
import type { RiskFacts } from './risk.js'

const HOUR = 60 * 60 * 1000
const DAY = 24 * HOUR
/** Number of payments that make up an account's history. */
const LAST = 50

interface RatedPayment {
  readonly amount: Minor
  readonly processingId: string
  readonly customerId: string | null
  readonly shippingPostalCode: string | null
  readonly method: PaymentMethodRow
}

/** Reads the facts for the risk rules: three short statements, each along an index. */
export async function readFacts(
  work: Work,
  { amount, processingId, customerId, shippingPostalCode, method }: RatedPayment,
  fingerprints: readonly string[],
): Promise<RiskFacts> {
  const hour = datetimeOf(work.milliseconds - HOUR)
  const day = datetimeOf(work.milliseconds - DAY)
  const byMethod = { inHour: 0, inDay: 0 }
  for (const fingerprint of fingerprints)
    for (const { in_hour, in_day } of await work.tx.run(methodVelocity, { fingerprint, hour, day })) {
      byMethod.inHour += Number(in_hour)
      byMethod.inDay += Number(in_day)
    }
  const byCustomer = customerId ? await work.tx.run(customerVelocity, { customerId, day }) : []
  const [history] = await work.tx.run(accountHistory, { processingId })
  return {
    amount,
    methodInHour: byMethod.inHour,
    methodInDay: byMethod.inDay,
    customerInDay: Number(byCustomer[0]?.in_day ?? 0),
    average: Math.floor(Number(history?.total ?? 0) / Math.max(Number(history?.known ?? 0), 1)),
    known: Number(history?.known ?? 0),
    isShippedElsewhere: differs(shippingPostalCode, method.billing_address__postal_code),
  }
}

/** Whether two postal codes are known and differ, apart from blanks. */
function differs(shipped: string | null, billed: string | null): boolean {
  if (shipped === null || billed === null) return false
  const plain = (code: string) => code.replace(/\s/g, '').toUpperCase()
  return plain(shipped) !== plain(billed)
}

const methodVelocity = prepared<
  { fingerprint: string; hour: string; day: string },
  { in_hour: number; in_day: number }
>((db, param) =>
  db
    .selectFrom('transactions')
    .select((eb) => [
      eb.fn.countAll<number>().as('in_day'),
      scalar(sql<number>`coalesce(sum(case when created_at >= ${param('hour')} then 1 else 0 end), 0)`).as(
        'in_hour',
      ),
    ])
    .where('method_fingerprint', '=', param('fingerprint'))
    .where('created_at', '>=', param('day'))
    .where('type', '=', 'payment'),
)

const customerVelocity = prepared<{ customerId: string; day: string }, { in_day: number }>((db, param) =>
  db
    .selectFrom('transactions')
    .select((eb) => eb.fn.countAll<number>().as('in_day'))
    .where('customer_id', '=', param('customerId'))
    .where('created_at', '>=', param('day'))
    .where('type', '=', 'payment'),
)

const accountHistory = prepared<{ processingId: string | null }, { total: number; known: number }>(
  (db, param) =>
    db
      .selectFrom((eb) =>
        eb
          .selectFrom('transactions')
          .select('amount')
          .where('processing_id', '=', param('processingId'))
          .where('type', '=', 'payment')
          .where('status', '=', 'processed')
          .orderBy('created_at', 'desc')
          .limit(LAST)
          .as('last'),
      )
      .select([
        scalar(sql<number>`coalesce(sum(amount), 0)`).as('total'),
        scalar(sql<number>`count(*)`).as('known'),
      ]),
)
