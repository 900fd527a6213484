import type { Stripe } from 'stripe'
import { datetimeOf } from '../../schema/datetime.js'
import type { Credentials, GatewaySettlement, GatewaySettlementLine, Rail, Settlements } from '../contract.js'
import type { FailedPayout } from '../payout.js'
import { UnknownOutcome } from '../unknown-outcome.js'
import { inEachAccount } from './stripe-accounts.js'
import { readingFailure } from './stripe-failure.js'
import { isRelease, withoutReleases } from './stripe-release.js'

interface Sources {
  readonly clientOf: (credentials: Credentials) => Stripe
  readonly now: () => number
}

const PAGE = 100
/** Milliseconds for which a paid payout may still fail. Stripe says five business days; this is twice as long. */
const FAILURE_PERIOD = 14 * 86_400_000
/** Maximal payouts in one call, each with all its lines. */
const MAX_BATCHES = 20

type Line = GatewaySettlementLine['kind']

/** Our kind of a payout's line, by the type of its balance transaction. Types that are not listed are `other`. */
const KINDS: ReadonlyMap<string, Line> = new Map(
  Object.entries({
    charge: 'payment',
    payment: 'payment',
    refund: 'refund',
    payment_refund: 'refund',
    refund_failure: 'refund',
    payment_failure_refund: 'return',
    payment_reversal: 'return',
    stripe_fee: 'fee',
    stripe_fx_fee: 'fee',
    tax_fee: 'fee',
    application_fee: 'fee',
    application_fee_refund: 'fee',
    reserve_transaction: 'reserve',
    reserved_funds: 'reserve',
    reserve_hold: 'reserve',
    reserve_release: 'reserve',
    payment_network_reserve_hold: 'reserve',
    payment_network_reserve_release: 'reserve',
    payout_minimum_balance_hold: 'reserve',
    payout_minimum_balance_release: 'reserve',
    topup: 'transfer',
    topup_reversal: 'transfer',
    transfer: 'transfer',
    transfer_cancel: 'transfer',
    transfer_failure: 'transfer',
    transfer_refund: 'transfer',
  } as const satisfies Record<string, Line>),
)

/** Types of balance transactions that return the money of a failed or cancelled payout to the balance. */
const GIVEN_BACK: ReadonlySet<string> = new Set(['payout_failure', 'payout_cancel'])

/**
 * Stripe's payouts, oldest first, each with its balance transactions as lines. Only automatic payouts have lines, and
 * only after Stripe has completed the list. Reading stops before the first payout whose list is not complete.
 */
export function stripeSettlements({ clientOf, now }: Sources): Pick<Rail, 'settlements'> {
  return {
    async settlements(cursor, credentials, since) {
      const first = since === undefined ? null : String(Math.floor(since / 1000))
      try {
        const read = await inEachAccount(cursor, credentials, async (position, at) => {
          const { merchant } = at
          const begin = position ?? first
          const stripe = clientOf(at)
          const { batches, cursor: next } = await settlementsSince(stripe, begin, merchant)
          const failed = await failedSince(stripe, now() - FAILURE_PERIOD, merchant)
          return { batches, cursor: next === begin ? position : next, failed }
        })
        return {
          batches: read.parts.flatMap(({ batches }) => batches),
          cursor: read.cursor,
          failed: read.parts.flatMap(({ failed }) => failed),
        }
      } catch (error) {
        throw readingFailure(error)
      }
    },
  }
}

async function settlementsSince(
  stripe: Stripe,
  cursor: string | null,
  merchant: string | undefined,
): Promise<Settlements> {
  const [since, ...seen] = (cursor ?? '').split(' ')
  const created = { gte: Number(since) }
  const payouts: Stripe.Payout[] = []
  const list = stripe.payouts.list({ limit: PAGE, ...(since && { created }) })
  for await (const payout of advancing(list)) if (!seen.includes(payout.id)) payouts.push(payout)
  const next = payouts.toReversed().slice(0, MAX_BATCHES)
  const unready = next.findIndex((payout) => !isReady(payout))
  const ready = unready === -1 ? next : next.slice(0, unready)
  const batches: GatewaySettlement[] = []
  for (const payout of ready)
    if (payout.automatic && payout.status === 'paid')
      batches.push(await settlementOf(stripe, payout, merchant))
  return { batches, cursor: cursorAfter(ready, cursor) }
}

/** Recently failed payouts, including those that were reported as paid before. */
async function failedSince(
  stripe: Stripe,
  since: number,
  merchant: string | undefined,
): Promise<readonly FailedPayout[]> {
  const created = { gte: Math.floor(since / 1000) }
  const failed: FailedPayout[] = []
  for await (const payout of advancing(stripe.payouts.list({ status: 'failed', limit: PAGE, created })))
    failed.push(...failedPayoutIn(payout, merchant))
  return failed
}

/** The failed payout; an empty list if the payout has not failed. */
export function failedPayoutIn(payout: Stripe.Payout, merchant?: string): readonly FailedPayout[] {
  const { id, status, amount, currency, created, failure_code: code, failure_message: message } = payout
  if (status !== 'failed') return []
  return [
    {
      kind: 'payout_failed',
      payout: id,
      madeAt: created * 1000,
      amount,
      currency: currency.toUpperCase(),
      code: code ?? status,
      message: message ?? undefined,
      ...(merchant !== undefined && { merchant }),
    },
  ]
}

/**
 * The entries of a list. Throws `UnknownOutcome` for an entry without an id, and for a repeated entry,
 * because such a list would have no end.
 */
export async function* advancing<T extends { readonly id: string }>(
  list: AsyncIterable<T>,
): AsyncIterable<T> {
  const listed = new Set<string>()
  for await (const entry of list) {
    if (typeof entry.id !== 'string') throw new UnknownOutcome('The list has an entry without an id')
    if (listed.has(entry.id))
      throw new UnknownOutcome(`The list does not advance: ${entry.id} is listed again`)
    listed.add(entry.id)
    yield entry
  }
}

/** Whether a payout can no longer change. */
function isReady({ status, automatic, reconciliation_status: lines }: Stripe.Payout): boolean {
  if (status === 'failed' || status === 'canceled') return true
  return status === 'paid' && (!automatic || lines === 'completed')
}

/**
 * Cursor after the payouts that were read: the second of the last one, and the ids of all read payouts of that second.
 */
function cursorAfter(payouts: readonly Stripe.Payout[], cursor: string | null): string | null {
  const last = payouts.at(-1)?.created
  if (last === undefined) return cursor
  if (!Number.isSafeInteger(last)) throw new UnknownOutcome('A payout does not say when it was made')
  const [since, ...seen] = (cursor ?? '').split(' ')
  const before = since === String(last) ? seen : []
  const now = payouts.filter(({ created }) => created === last).map(({ id }) => id)
  return [last, ...before, ...now].join(' ')
}

async function settlementOf(
  stripe: Stripe,
  { id, arrival_date: arrival, currency, amount: net }: Stripe.Payout,
  merchant: string | undefined,
): Promise<GatewaySettlement> {
  const repays: string[] = []
  const lines = await linesOf(stripe, id, repays)
  const gross = lines.reduce((sum, { amount }) => sum + amount, 0)
  const fees = lines.reduce((sum, { fee }) => sum + (fee ?? 0), 0)
  if (gross - fees !== net)
    throw new UnknownOutcome(`The lines of ${id} come to ${gross - fees}, and it paid ${net}`)
  return {
    id,
    currency: currency.toUpperCase(),
    gross,
    fees,
    net,
    merchant,
    lines,
    ...(repays.length > 0 && { repays }),
    settledAt: datetimeOf(arrival * 1000),
  }
}

/**
 * Lines of a payout. If it includes the money of an earlier failed or cancelled payout, that payout's lines are
 * included, and its id is added to `repays`.
 */
async function linesOf(stripe: Stripe, payout: string, repays: string[]): Promise<GatewaySettlementLine[]> {
  const lines: GatewaySettlementLine[] = []
  const releases: GatewaySettlementLine[] = []
  const list = stripe.balanceTransactions.list({ payout, limit: PAGE, expand: ['data.source'] })
  for await (const each of advancing(list)) {
    const { source } = each
    const about = typeof source === 'object' && source?.object === 'payout' ? source : undefined
    // Skip the balance transaction of this payout itself, and the balance transaction that returned its
    // money.
    if (about ? about.id === payout : each.type === 'payout') continue
    const isBack = about?.automatic === true && GIVEN_BACK.has(each.type)
    if (isBack) {
      repays.push(about.id)
      lines.push(...(await linesOf(stripe, about.id, repays)))
    } else if (isRelease(each)) releases.push(lineOf(each))
    else lines.push(lineOf(each))
  }
  return withoutReleases(lines, releases)
}

/**
 * The line of a balance transaction. Throws `UnknownOutcome` for amounts that are not whole cents, because they are
 * summed and booked.
 */
function lineOf({
  id,
  type,
  amount,
  fee,
  source,
  description,
}: Stripe.BalanceTransaction): GatewaySettlementLine {
  if (!Number.isSafeInteger(amount) || !Number.isSafeInteger(fee))
    throw new UnknownOutcome(`The amounts of ${id} are no whole cents`)
  const about = typeof source === 'object' ? source : null
  return {
    id,
    kind: kindOf(type, about, amount),
    amount,
    fee,
    type,
    ...(description && { description }),
    ...subjectOf(about),
  }
}

/**
 * Kind of a line. Stripe lists a dispute and its return both as adjustments; the sign of the amount distinguishes them.
 */
function kindOf(type: string, about: Stripe.BalanceTransactionSource | null, amount: number): Line {
  if (about?.object === 'dispute') return amount < 0 ? 'chargeback' : 'chargeback_reversal'
  return KINDS.get(type) ?? 'other'
}

/** Ids that match a line with our transaction. Charges and refunds have our reference. */
function subjectOf(about: Stripe.BalanceTransactionSource | null) {
  switch (about?.object) {
    case 'charge':
      return { reference: about.metadata['reference'], gatewayId: idOf(about.payment_intent) ?? about.id }
    case 'refund':
      return {
        reference: about.metadata?.['reference'],
        gatewayId: about.id,
        ...parentOf(about.payment_intent),
      }
    case 'dispute':
      return { gatewayId: about.id, ...parentOf(about.payment_intent) }
    default:
      return {}
  }
}

/** Stripe's id of the payment that was refunded or disputed. */
function parentOf(intent: string | { readonly id: string } | null | undefined) {
  const parentId = idOf(intent)
  return parentId === undefined ? {} : { parentId }
}

function idOf(value: string | { readonly id: string } | null | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.id
}
