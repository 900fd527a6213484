import type { Environment, Tx } from '../../engine/store/database/store.js'
import { datetimeOf } from '../../schema/datetime.js'
import { moneyWithCurrency } from '../../schema/money.js'
import { OUTAGE_CODES } from '../../schema/status-codes.js'

/** Finding for the operator as text, with the command that shows more. */
export interface Attention {
  readonly check: string
  /** A note only reports work in progress. */
  readonly state: 'warning' | 'note'
  readonly found: string
  readonly command: string
}

const DAY = 86_400_000
/** Number of days before the last day. These days define the usual share of declines. */
const USUAL_DAYS = 14
/** Number of declines in a day below which declines never count as rising. */
const MIN_DECLINES = 5
/** Number of days for which a dispute without a known deadline counts as open. */
const ANSWER_DAYS = 30
/** Number of past days whose captured transactions count as in transit. */
const TRANSIT_DAYS = 30

interface CheckedDay {
  readonly environment: Environment
  /** Business time, in milliseconds since 1970. */
  readonly now: number
}

/** Findings for an operator's daily review, in addition to the checks of `payctl doctor`. */
export async function checkDay(tx: Tx, moment: CheckedDay): Promise<Attention[]> {
  const found = [
    await failingWebhooks(tx, moment),
    await risingDeclines(tx, moment),
    await outages(tx, moment),
    await openDisputes(tx, moment),
    await depositsInTransit(tx, moment),
    await unexplainedMoney(tx, moment),
  ]
  return found.filter((one) => one !== undefined)
}

/** Webhooks whose last attempt within a day failed. */
async function failingWebhooks({ db }: Tx, { environment, now }: CheckedDay): Promise<Attention | undefined> {
  const newest = db
    .selectFrom('webhook_logs')
    .select(({ fn }) => fn.max('id').as('id'))
    .where('created_at', '>=', before(now, 1))
    .groupBy('webhook_id')
  const failing = await db
    .selectFrom('webhook_logs')
    .innerJoin('webhooks', 'webhooks.id', 'webhook_logs.webhook_id')
    .select(['webhooks.id', 'webhook_logs.url', 'webhook_logs.http_status'])
    .where('webhook_logs.id', 'in', newest)
    .where(({ or, eb }) => or([eb('http_status', '<', 200), eb('http_status', '>=', 300)]))
    .where('webhooks.deleted_at', 'is', null)
    .orderBy('webhooks.id')
    .execute()
  const [first] = failing
  if (!first) return undefined
  const answer = first.http_status ? `answers ${first.http_status}` : 'gives no answer'
  const more = failing.length === 1 ? '' : `, and ${failing.length - 1} more fail`
  return {
    check: 'failing webhooks',
    state: 'warning',
    found: `${first.url} ${answer}${more}`,
    command: `payctl webhooks logs ${failing.length === 1 ? `${first.id} ` : ''}--env ${environment}`,
  }
}

/** Finding if more payments were declined within a day than expected from the days before. */
async function risingDeclines(tx: Tx, { environment, now }: CheckedDay): Promise<Attention | undefined> {
  const today = await decided(tx, before(now, 1), datetimeOf(now + 1_000))
  const usual = await decided(tx, before(now, 1 + USUAL_DAYS), before(now, 1))
  if (!isRising(today, usual)) return undefined
  return {
    check: 'declines',
    state: 'warning',
    found:
      `${today.declined} of ${today.all} payments were declined within a day, ` +
      `${usual.declined} of ${usual.all} in the ${USUAL_DAYS} days before`,
    command: `payctl transactions list --env ${environment} --where type=payment --where status=declined --created-after ${before(now, 1).slice(0, 10)}`,
  }
}

/**
 * Payments of the last day that did not reach a bank. They do not count as declines, because the payer may
 * try again.
 */
async function outages({ db }: Tx, { environment, now }: CheckedDay): Promise<Attention | undefined> {
  const { count } = await db
    .selectFrom('transactions')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('type', '=', 'payment')
    .where('status', '=', 'declined')
    .where('status_code', 'in', [...OUTAGE_CODES])
    .where('created_at', '>=', before(now, 1))
    .executeTakeFirstOrThrow()
  if (Number(count) === 0) return undefined
  return {
    check: 'outages',
    state: 'warning',
    found: `${counted(Number(count), 'payment')} within a day did not reach a bank`,
    command: `payctl gateways list --env ${environment}`,
  }
}

/** Number of payments, and number of declined payments among them. */
export interface DeclineCount {
  readonly all: number
  readonly declined: number
}

/**
 * Whether declines exceed chance: they must be above the expected number by more than three times the square root of
 * that number. Without a usual share, one in ten is expected.
 */
export function isRising(today: DeclineCount, usual: DeclineCount): boolean {
  const share = usual.all === 0 ? 0.1 : usual.declined / usual.all
  const expected = today.all * share
  return today.declined >= MIN_DECLINES && today.declined > expected + 3 * Math.sqrt(Math.max(expected, 1))
}

async function decided({ db }: Tx, from: string, until: string): Promise<DeclineCount> {
  const rows = await db
    .selectFrom('transactions')
    .select(({ fn }) => ['status', fn.countAll<number | string>().as('count')])
    .where('type', '=', 'payment')
    .where('created_at', '>=', from)
    .where('created_at', '<', until)
    .where(({ or, eb }) =>
      or([eb('status_code', 'is', null), eb('status_code', 'not in', [...OUTAGE_CODES])]),
    )
    .groupBy('status')
    .execute()
  const sum = (statuses: typeof rows) => statuses.reduce((all, { count }) => all + Number(count), 0)
  return { all: sum(rows), declined: sum(rows.filter(({ status }) => status === 'declined')) }
}

/**
 * Disputes and inquiries that wait for an answer and whose deadline has not passed. Without a known
 * deadline, they count for `ANSWER_DAYS`. Disputes under review, won or lost need no answer.
 */
async function openDisputes({ db }: Tx, { environment, now }: CheckedDay): Promise<Attention | undefined> {
  const rows = await db
    .selectFrom('disputes')
    .select(['id', 'amount', 'due_by'])
    .where('stage', 'in', ['inquiry', 'needs_response'])
    .where('answered_at', 'is', null)
    .where(({ or, and, eb }) =>
      or([
        eb('due_by', '>', datetimeOf(now)),
        and([eb('due_by', 'is', null), eb('created_at', '>=', before(now, ANSWER_DAYS))]),
      ]),
    )
    .orderBy('due_by')
    .execute()
  const [first] = rows
  if (!first) return undefined
  const amount = moneyWithCurrency(rows.reduce((sum, row) => sum + (row.amount ?? 0), 0))
  const due = rows.flatMap(({ due_by: dueBy }) => dueBy ?? []).toSorted()[0]
  const when = due === undefined ? '' : `, the first by ${due.slice(0, 16)} (UTC)`
  return {
    check: 'disputes',
    state: 'warning',
    found: `${amount} in ${counted(rows.length, 'dispute')} ${rows.length === 1 ? 'waits' : 'wait'} for an answer${when}`,
    command:
      rows.length === 1
        ? `payctl disputes show ${first.id} --env ${environment}`
        : `payctl disputes list --env ${environment} --where "stage=inquiry|needs_response"`,
  }
}

/**
 * Net amount that is captured but not yet in a deposit: payments, less refunds and fees. Accounts whose
 * payouts are made outside payctl are left out.
 */
async function depositsInTransit(
  { db }: Tx,
  { environment, now }: CheckedDay,
): Promise<Attention | undefined> {
  const captured = db
    .selectFrom('transactions')
    .innerJoin('accounts', 'accounts.id', 'transactions.processing_id')
    .where('transactions.type', 'in', ['payment', 'refund', 'credit'])
    .where('transactions.funding_status', '=', 'captured')
    .where('transactions.created_at', '>=', before(now, TRANSIT_DAYS))
    .$if(environment === 'live', (query) => query.where('accounts.processing__payouts', '=', 'gateway'))
    .where(({ or, eb }) =>
      or([eb('accounts.processing__payouts', 'is', null), eb('accounts.processing__payouts', '!=', 'none')]),
    )
  const rows = await captured
    .select(({ fn }) => [
      'transactions.type',
      fn.sum<number | string | null>('transactions.amount').as('amount'),
      fn.sum<number | string | null>('transactions.fee').as('fee'),
      fn.countAll<number | string>().as('count'),
    ])
    .groupBy('transactions.type')
    .execute()
  const payments = rows.find(({ type }) => type === 'payment')
  if (!payments) return undefined
  const { entries } = await captured
    .innerJoin('transaction_ledgers', 'transaction_ledgers.transaction_id', 'transactions.id')
    .select(({ fn }) => fn.sum<number | string | null>('transaction_ledgers.amount').as('entries'))
    .executeTakeFirstOrThrow()
  const net = rows.reduce(
    (sum, { type, amount, fee }) => sum + (type === 'payment' ? 1 : -1) * Number(amount) - Number(fee),
    Number(entries),
  )
  return {
    check: 'deposits',
    state: 'note',
    found:
      `${moneyWithCurrency(net)} net is on its way to the bank: ${counted(Number(payments.count), 'payment')} ` +
      `of ${moneyWithCurrency(Number(payments.amount))}, less refunds and fees`,
    command: `payctl transactions list --env ${environment} --where type=payment --where funding_status=captured`,
  }
}

/**
 * Amount of settlement lines that match no transaction. It stays in `suspense` until an operator has
 * decided what it is.
 */
async function unexplainedMoney({ db }: Tx, { environment }: CheckedDay): Promise<Attention | undefined> {
  const { amount, count } = await db
    .selectFrom('admin_settlement_lines')
    .select(({ fn }) => [
      fn.sum<number | string | null>('amount').as('amount'),
      fn.countAll<number | string>().as('count'),
    ])
    .where('status', '=', 'unmatched')
    .where('booked', '=', 'payout')
    .where('kind', '!=', 'fee')
    .executeTakeFirstOrThrow()
  if (Number(count) === 0) return undefined
  return {
    check: 'settlements',
    state: 'note',
    found: `nothing here explains ${counted(Number(count), 'line')} of settlements: ${moneyWithCurrency(Number(amount))} is in suspense`,
    command: `payctl settlements lines list --env ${environment} --where status=unmatched`,
  }
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** Datetime a number of days earlier. */
function before(now: number, days: number): string {
  return datetimeOf(now - days * DAY)
}
