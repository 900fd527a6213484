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
/** Milliseconds in which a payout may fail after it was paid: five business days, and as many again. */
const FAILURE_PERIOD = 14 * 86_400_000
/** Payouts that are read at once, each with all its lines. */
const MAX_BATCHES = 20

type Line = GatewaySettlementLine['kind']

/** Kind of a payout's line, by the type of its balance transaction; every other type is `other`. */
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

/** Types by which a payout that did not arrive returns to the balance. */
const GIVEN_BACK: ReadonlySet<string> = new Set(['payout_failure', 'payout_cancel'])

/**
 * Payouts of Stripe, oldest first, each with its balance transactions. Only automatic payouts have such a list, once
 * Stripe has completed it. Reading stops before the first payout without a completed list.
 */
export function stripeSettlements({ clientOf, now }: Sources): Pick<Rail, 'settlements'> {
  return {
    async settlements(cursor, credentials, since) {
      // Stripe counts in seconds.
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

/** Payouts that failed lately, also after they were reported as paid. */
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

/** A payout that the bank has refused; none where it was paid, or is on its way. */
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

/** The entries of a list, each of which comes once. Throws `UnknownOutcome`. */
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

/** The second of the last payout that was read, and the payouts of that second, as one second may have several. */
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
 * Lines of a payout. The money of an earlier payout that failed or was cancelled is paid out now, with that payout's
 * lines; its id is added to `repays`.
 */
async function linesOf(stripe: Stripe, payout: string, repays: string[]): Promise<GatewaySettlementLine[]> {
  const lines: GatewaySettlementLine[] = []
  const releases: GatewaySettlementLine[] = []
  const list = stripe.balanceTransactions.list({ payout, limit: PAGE, expand: ['data.source'] })
  for await (const each of advancing(list)) {
    const { source } = each
    const about = typeof source === 'object' && source?.object === 'payout' ? source : undefined
    // The payout's own transaction, and the one that returned it.
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

/** Throws `UnknownOutcome` for amounts that are no whole cents: they are summed and booked. */
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

/** A dispute is an adjustment, and so is its end. */
function kindOf(type: string, about: Stripe.BalanceTransactionSource | null, amount: number): Line {
  if (about?.object === 'dispute') return amount < 0 ? 'chargeback' : 'chargeback_reversal'
  return KINDS.get(type) ?? 'other'
}

/** Keys by which a line is matched: a charge and a refund carry our reference. */
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

/** The gateway's id of the payment of a refund or a dispute. */
function parentOf(intent: string | { readonly id: string } | null | undefined) {
  const parentId = idOf(intent)
  return parentId === undefined ? {} : { parentId }
}

function idOf(value: string | { readonly id: string } | null | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.id
}
