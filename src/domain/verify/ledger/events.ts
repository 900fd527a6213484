import { sql } from 'kysely'
import { using } from '../../../engine/store/database/raw-use.js'
import type { TransactionRow } from '../../../engine/store/database/tables.js'
import { resources } from '../../../resources/resource-table.js'
import { FIRED, type TransactionTrigger } from '../../../resources/trigger.js'
import { idAlike, timeOfId } from '../../../schema/id-time.js'
import { tableNameOf } from '../../../schema/resource.js'
import { receiptType } from '../../payments/outcome/persist-decision.js'
import { isUnavailable } from '../../payments/pending/gateway-answer.js'
import { findingsOf } from '../pass/finding.js'
import { NONE_LEFT, type Pass, pageEnd } from '../pass/pass.js'
import type { TransactionHistory } from './transaction-history.js'

/** Each change of a transaction fired its event once, when it was booked. See docs/interface.md, "Webhooks". */
export function eventProblems(history: TransactionHistory): string[] {
  const { row, entries, events, postings, isBatch } = history
  const countOf = (trigger: string) => events.filter((event) => event.trigger === trigger).length
  const chargebacks = entries.filter(({ entry_type: type }) => type === 'chargeback').length
  const expected = expectedTriggers(row, chargebacks)
  // A chargeback beyond the amount of its payment has no ledger entries.
  const own = row.excess === null ? [] : [row]
  const moments = new Set([...events, ...entries, ...own].map(({ created_at: at }) => at))
  return [
    ...[...expected].flatMap(([trigger, [least, most = least]]) => {
      const times = countOf(trigger)
      return times >= least && times <= most
        ? []
        : [`It fired ${trigger} ${times} times, and should ${least} times`]
    }),
    ...events.flatMap(({ id, trigger, value, processing_id: account }) => [
      ...(expected.has(trigger) ? [] : [`Its event ${id} is ${trigger}, which a ${row.type} does not fire`]),
      ...(isValue(trigger, value) ? [] : [`Its event ${id} is ${trigger} with the status ${value}`]),
      ...(account === row.processing_id ? [] : [`Its event ${id} is for another account`]),
      ...(timeOfId(id) + SKEW < timeOfId(row.id) ? [`Its event ${id} is older than it`] : []),
    ]),
    ...momentProblems(history),
    // Deposits and bills are made in several units of work, which fire no events.
    ...(isBatch ? [] : postings.filter(({ created_at: at }) => !moments.has(at))).map(
      ({ id, created_at: at }) => `Its posting ${id} was booked at ${at}, when nothing happened`,
    ),
    ...receiptProblems(history),
  ]
}

/** Triggers of events that come with a posting or a ledger entry. */
const BOOKING: ReadonlySet<string> = new Set(['processed', 'reject', 'refund', 'credit'])
/** Triggers that fire together with a payment's first event. */
const TAKING: ReadonlySet<string> = new Set(['processed', 'authorized'])

/** An event has the time of the change that it reports, where that time is known. */
function momentProblems({ events, entries, postings, isBatch }: TransactionHistory): string[] {
  const booked = new Set([...postings, ...entries].map(({ created_at: at }) => at))
  const taken = new Set(events.flatMap(({ trigger, created_at: at }) => (TAKING.has(trigger) ? [at] : [])))
  return events
    .filter(({ trigger, created_at: at }) => {
      if (trigger === 'payment' || trigger === 'automatic_payment') return !taken.has(at)
      return !isBatch && BOOKING.has(trigger) && !booked.has(at)
    })
    .map(({ id, trigger, created_at: at }) => `Its event ${id} is ${trigger} of ${at}, when nothing happened`)
}

/** Largest difference between two clocks, in milliseconds; ids hold the real time. */
const SKEW = 120_000

/** The least and the greatest number of events of a trigger. */
type Times = readonly [least: number, most?: number]
type Type = NonNullable<TransactionHistory['row']['type']>

/** Triggers that tell what becomes of a payment; the others are named after the type of the transaction. */
type PaymentTrigger = Exclude<TransactionTrigger, Exclude<Type, 'payment'>>

function expectedTriggers(
  { type, status, status_code: code, automatic, processed_date: date }: TransactionHistory['row'],
  chargebacks: number,
): ReadonlyMap<string, Times> {
  if (status === 'processing') return new Map()
  // An unavailable gateway has declined no payment, so no event is fired.
  if (status === 'declined')
    return new Map([['decline', [isUnavailable(code ?? '') ? 0 : 1]], ...beforeDecline(type, date)])
  switch (type) {
    case 'payment':
      return timesOf({
        automatic_payment: [automatic === 1 ? 1 : 0],
        payment: [1],
        authorized: [0, 1],
        // A won dispute fires `processed` again.
        processed: [status === 'processed' || status === 'rejected' ? 1 : 0, 1 + chargebacks],
        void: [status === 'voided' ? 1 : 0],
        reject: [chargebacks],
        decline: [0],
      } satisfies Record<PaymentTrigger, Times>)
    case 'refund':
    case 'credit':
    case 'deposit':
    case 'reversal':
      return new Map([[type, [1]]])
    case 'chargeback':
    case 'chargeback_reversal':
    case null:
      return new Map()
  }
}

/** Events that may precede a decline: a capture may fail after the authorization, and a refund after it was processed. */
function beforeDecline(type: Type | null, processed: string | null): ReadonlyMap<string, Times> {
  if (processed !== null && (type === 'refund' || type === 'credit')) return new Map([[type, [1]]])
  return type === 'payment'
    ? timesOf({ payment: [0, 1], automatic_payment: [0, 1], authorized: [0, 1] })
    : new Map()
}

function timesOf(times: Readonly<Partial<Record<TransactionTrigger, Times>>>): ReadonlyMap<string, Times> {
  return new Map(Object.entries(times))
}

/** Statuses that an event may show for a transaction, by trigger; `processed` for triggers that are omitted. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  payment: ['processed', 'authorized'],
  automatic_payment: ['processed', 'authorized'],
  authorized: ['authorized'],
  void: ['voided'],
  decline: ['declined'],
  reject: ['processed', 'rejected'],
} satisfies Partial<Record<TransactionTrigger, readonly TransactionRow['status'][]>>

function isValue(trigger: string, value: string | null): boolean {
  return (VALUES[trigger] ?? ['processed']).includes(value ?? '')
}

/** A payment, refund or credit got its receipt when it was processed, and keeps the receipt. */
function receiptProblems({ row, postings, receipts }: TransactionHistory): string[] {
  const type = receiptType(row.type)
  const [booked] = postings
  const foreign = receipts.filter((receipt) => receipt.type !== type)
  const own = receipts.filter(({ id }) => id === idAlike(RECEIPT, row.id))
  const moment = row.processed_date === null ? undefined : booked?.created_at
  const problems = [
    ...foreign.map(({ id, type: said }) => `Its receipt ${id} is for a ${said}`),
    ...own
      .filter(({ created_at: at }) => at !== moment)
      .map(({ id, created_at: at }) => `Its receipt ${id} was made at ${at}, when it was not processed`),
  ]
  if (type === null || row.processed_date === null || !booked) return problems
  return receipts.some(({ created_at: at }) => at === booked.created_at)
    ? problems
    : [...problems, `It has no receipt made at ${booked.created_at}`]
}

const RECEIPT = resources.receipt.prefix

/** Every event names an object that exists and has the kind of its trigger. */
export const events: Pass = {
  of: 'events',
  async examine({ tx }, after) {
    const { last, count } = await pageEnd(tx, 'events', after)
    if (last === undefined) return NONE_LEFT
    const wrong = sql<{ id: string; trigger: string; named: string }>`
      select e.id, e.trigger, e.object_id as named from events as e
      where e.id > ${after} and e.id <= ${last} and not (${sql.join(OBJECTS.map(exists), sql` or `)})`
    const { rows } = await using({ reads: ['events'] }, wrong).execute(tx.any)
    const findings = rows.flatMap(({ id, trigger, named }) =>
      findingsOf('event', id, [
        `It is ${trigger} of ${named}, which does not exist or is another kind of object`,
      ]),
    )
    return { last, count, findings }
  },
}

interface EventObject {
  readonly object: string
  readonly table: string
  readonly triggers: readonly string[]
}

/** Every kind of object that fires events, with its table and triggers. */
const OBJECTS: readonly EventObject[] = [...new Set(Object.values<Fired>(FIRED).flatMap(objectsOf))].map(
  (object) => ({
    object,
    table: tableNameOf(resources[object]),
    triggers: Object.entries(FIRED).flatMap(([trigger, fired]) =>
      objectsOf(fired).includes(object) ? [trigger] : [],
    ),
  }),
)

type Fired = (typeof FIRED)[keyof typeof FIRED]

function objectsOf(fired: Fired): (Fired['object'] | 'oauth_grant')[] {
  return 'or' in fired ? [fired.object, fired.or] : [fired.object]
}

function exists({ object, table, triggers }: EventObject) {
  return sql`(e.object = ${sql.lit(object)} and e.trigger in (${sql.join(triggers.map((each) => sql.lit(each)))})
    and exists (select 1 from ${sql.table(table)} as o where o.id = e.object_id))`
}
