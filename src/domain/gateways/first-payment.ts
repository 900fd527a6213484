import type { QueryPair } from '../../engine/core/request/request.js'
import type { Capabilities } from '../../gateways/contract.js'
import { objectsIn } from '../../schema/answer-values.js'
import type { JsonObject } from '../../schema/json.js'
import type { Method } from '../../schema/resource.js'

/**
 * A step of the first real payment through a gateway. `waiting`: the step cannot be done yet; the next run continues
 * with it.
 */
export interface FirstStep {
  readonly step: 'tested' | 'routed' | 'paid' | 'notified' | 'refunded' | 'settled'
  readonly state: 'ok' | 'waiting' | 'failed'
  readonly found: string
  /** Address of the page on which to pay, while the step `paid` waits. */
  readonly payAt?: string
}

/** Sends a request of a step. Returns the object in the answer; throws if the answer is an error. */
export type FirstAsk = (request: {
  readonly method: Method
  readonly path: string
  readonly query?: readonly QueryPair[]
  readonly body?: JsonObject
  readonly idempotencyKey?: string
}) => Promise<JsonObject>

interface FirstPayment {
  /** Id of the gateway. */
  readonly gateway: string
  /** The processing account that is paid; undefined for the default one. */
  readonly processing: string | undefined
  /** Whether to carry out the steps; otherwise only their states are read. */
  readonly goesOn: boolean
  readonly ask: FirstAsk
  /** Abilities of a kind of rail; undefined if the kind is unknown. */
  readonly capabilitiesOf: (kind: string) => Promise<Pick<Capabilities, 'settlesRefunded'> | undefined>
}

const AMOUNT = 1

const AFTER_SETTLEMENT: FirstStep = {
  step: 'refunded',
  state: 'waiting',
  found: 'It is refunded once it is settled: this gateway settles no payment that was refunded before',
}

/**
 * Makes one real payment of 1.00 on a page, and follows it until it is notified, refunded and settled. The progress is
 * read from the stored objects, so each run continues where the last one ended. No payment is made before the gateway
 * is tested and routed.
 */
export async function firstPayment(walk: FirstPayment): Promise<readonly FirstStep[]> {
  const { ask, goesOn } = walk
  const path = `/admin/gateways/${encodeURIComponent(walk.gateway)}`
  const gateway = await ask(
    goesOn
      ? { method: 'POST', path: `${path}/test` }
      : { method: 'GET', path, query: [['fields', '*,checks']] },
  )
  const steps: FirstStep[] = [testedStep(gateway), await routedStep(gateway, ask)]
  if (steps.some(({ state }) => state !== 'ok')) return steps
  const link = await linkFor(gateway, walk)
  if (typeof link === 'string') return [...steps, { step: 'paid', state: 'failed', found: link }]
  if (!link) return [...steps, { step: 'paid', state: 'waiting', found: 'Its page is made when you go on' }]
  const payment = await paymentBy(link, ask)
  if (!payment) {
    const payAt = String(link.url)
    return [...steps, { step: 'paid', state: 'waiting', found: `Pay 1.00 at ${payAt}`, payAt }]
  }
  const paid = paidStep(gateway, payment)
  if (paid.state !== 'ok') return [...steps, paid]
  const settled = await settledStep(payment, ask)
  // A rail without `settlesRefunded` never settles a payment that was refunded before, so the refund waits.
  const can = await walk.capabilitiesOf(String(gateway.kind))
  const isEarly = can?.settlesRefunded !== true && settled.state === 'waiting'
  return [
    ...steps,
    paid,
    await notifiedStep(gateway, payment, walk),
    isEarly ? AFTER_SETTLEMENT : await refundedStep(gateway, payment, walk),
    settled,
  ]
}

/** Names of the checks of a gateway that have failed. */
function failedChecks(gateway: JsonObject): readonly string[] {
  return objectsIn(gateway, 'checks').flatMap(({ name, state }) => (state === 'failed' ? [String(name)] : []))
}

function testedStep(gateway: JsonObject): FirstStep {
  const failed = failedChecks(gateway)
  if (gateway.checked_at === null) return { step: 'tested', state: 'waiting', found: 'Not tested yet' }
  return failed.length === 0
    ? { step: 'tested', state: 'ok', found: `${String(gateway.name)} works` }
    : { step: 'tested', state: 'failed', found: `Failed: ${failed.join(', ')}` }
}

async function routedStep({ id, name }: JsonObject, ask: FirstAsk): Promise<FirstStep> {
  const routes = objectsIn(await ask({ method: 'GET', path: '/admin/gateway_routes' }), 'routes')
  return routes.some(({ gateway_id: gatewayId, method }) => gatewayId === id && method !== 'bank_account')
    ? { step: 'routed', state: 'ok', found: 'Payments by card go to it' }
    : {
        step: 'routed',
        state: 'failed',
        found: `No payment by card goes to it: payctl gateways route --default ${String(name)}`,
      }
}

/** The payment link of the first payment, created if it is missing; a text with the reason if it cannot be created. */
async function linkFor(
  { id, name }: JsonObject,
  { processing, goesOn, ask }: FirstPayment,
): Promise<JsonObject | string | undefined> {
  const path = '/payment_links'
  const [known] = await listed(ask, path, [['attrs[first_payment]', String(id)]])
  if (known || !goesOn) return known
  const account = processing ?? (await onlyAccount(ask))
  if (account === undefined)
    return 'There are several processing accounts, or none: name the one that is paid (--processing)'
  const body = {
    type: 'one_time',
    amount: AMOUNT,
    description: `First payment by ${String(name)}`,
    attrs: { first_payment: String(id) },
    processing_id: account,
  }
  return await ask({ method: 'POST', path, body, idempotencyKey: `first-payment.${String(id)}` })
}

/** The processing account that is the default, or the only one; undefined if there are several. */
async function onlyAccount(ask: FirstAsk): Promise<string | undefined> {
  const all = await listed(ask, '/processing_accounts', [['fields', 'id,is_default']])
  const account = all.find(({ is_default: isDefault }) => isDefault === true)
  const [only] = all.length === 1 ? all : []
  const { id } = account ?? only ?? {}
  return typeof id === 'string' ? id : undefined
}

/** The payment through a link, unless it was declined; undefined if there is none. */
async function paymentBy({ id }: JsonObject, ask: FirstAsk): Promise<JsonObject | undefined> {
  const all = await listed(ask, '/transactions', [
    ['payment_link_id', String(id)],
    ['type', 'payment'],
    ['fields', '*,gateway,gateway_id'],
  ])
  return all.find(({ status }) => status !== 'declined')
}

function paidStep(gateway: JsonObject, { id, status, gateway: by }: JsonObject): FirstStep {
  const step = 'paid'
  if (by !== gateway.name) return { step, state: 'failed', found: `${String(id)} went to ${String(by)}` }
  if (status === 'processing') return { step, state: 'waiting', found: `${String(id)} has no outcome yet` }
  return { step, state: 'ok', found: `${String(id)} is ${String(status)}` }
}

async function notifiedStep(
  gateway: JsonObject,
  payment: JsonObject,
  { ask, gateway: id }: FirstPayment,
): Promise<FirstStep> {
  const step = 'notified'
  const [notice] = await listed(ask, '/admin/gateway_notifications', [
    ['gateway', String(gateway.name)],
    ['gateway_id', String(payment.gateway_id)],
  ])
  const { notified_at: notified } = await ask({
    method: 'GET',
    path: `/admin/gateways/${encodeURIComponent(id)}`,
  })
  if (!notice)
    return { step, state: 'waiting', found: 'No notification of it has come yet: is the endpoint reached?' }
  // Polling finds the event as well, but later. The step is done only if the gateway has also notified the endpoint.
  return notified === null
    ? { step, state: 'failed', found: 'Only polling has found it: nothing comes to the endpoint' }
    : { step, state: 'ok', found: `${String(notice.type)} came at ${String(notice.created_at)} (UTC)` }
}

async function refundedStep(
  gateway: JsonObject,
  payment: JsonObject,
  { ask, goesOn }: FirstPayment,
): Promise<FirstStep> {
  const path = '/transactions'
  const step = 'refunded'
  const [known] = await listed(ask, path, [
    ['type', 'refund'],
    ['attrs[first_payment]', String(gateway.id)],
  ])
  if (!known && !goesOn) return { step, state: 'waiting', found: 'It is refunded when you go on' }
  const body = {
    type: 'refund',
    amount: AMOUNT,
    attrs: { first_payment: String(gateway.id) },
    ledger: [{ assoc_transaction_id: String(payment.id) }],
  }
  const idempotencyKey = `first-payment.${String(payment.id)}`
  const refund = known ?? (await ask({ method: 'POST', path, body, idempotencyKey }))
  const found = `${String(refund.id)} is ${String(refund.status)}`
  if (refund.status === 'declined') return { step, state: 'failed', found }
  return { step, state: refund.status === 'processed' ? 'ok' : 'waiting', found }
}

async function settledStep({ id }: JsonObject, ask: FirstAsk): Promise<FirstStep> {
  const [line] = await listed(ask, '/admin/settlement_lines', [['transaction_id', String(id)]])
  return line
    ? { step: 'settled', state: 'ok', found: `It is in the settlement ${String(line.settlement_id)}` }
    : { step: 'settled', state: 'waiting', found: 'Not settled yet: run this again in some days' }
}

async function listed(
  ask: FirstAsk,
  path: string,
  query: readonly QueryPair[],
): Promise<readonly JsonObject[]> {
  return objectsIn(await ask({ method: 'GET', path, query: [...query, ['limit', '10']] }))
}
