import type { ClientRequest, JsonObject, QueryPair } from '../../terminal/client/client.js'
import { UsageError } from '../../terminal/failure/failure.js'
import { isObject } from '../../terminal/input/body.js'
import { GATEWAYS } from './gateway-target.js'
import { failedChecks } from './shown-checks.js'

/** A step of a first payment. `waiting`: it is done later, and the next run goes on from there. */
export interface FirstStep {
  readonly step: 'tested' | 'routed' | 'paid' | 'notified' | 'refunded' | 'settled'
  readonly state: 'ok' | 'waiting' | 'failed'
  readonly found: string
}

type Ask = (request: ClientRequest) => Promise<{ readonly body: JsonObject }>

interface FirstPayment {
  /** Path of the gateway. */
  readonly path: string
  /** The processing account that is paid; undefined for the default one. */
  readonly processing: string | undefined
  readonly ask: Ask
}

const AMOUNT = 1

const AFTER_SETTLEMENT: FirstStep = {
  step: 'refunded',
  state: 'waiting',
  found: 'It is refunded once it is settled: a peer pays out what is left of a payment',
}

/**
 * One real payment of 1.00 by a page: paid, notified, refunded and settled. All that is known of it is in its objects,
 * so that a run goes on where the one before has ended. A step is begun only when the one before is done.
 */
export async function firstPayment({ path, processing, ask }: FirstPayment): Promise<readonly FirstStep[]> {
  const { body: gateway } = await ask({ method: 'POST', path: `${path}/test` })
  const steps: FirstStep[] = [testedStep(gateway), await routedStep(gateway, ask)]
  if (steps.some(({ state }) => state === 'failed')) return steps
  const link = await linkFor(gateway, processing, ask)
  const payment = await paymentBy(link, ask)
  if (!payment)
    return [...steps, { step: 'paid', state: 'waiting', found: `Pay 1.00 at ${String(link.url)}` }]
  const paid = paidStep(gateway, payment)
  if (paid.state !== 'ok') return [...steps, paid]
  const settled = await settledStep(payment, ask)
  // A peer's deposits leave out a payment that was refunded whole before.
  const isEarly = gateway.kind === 'peer' && settled.state === 'waiting'
  return [
    ...steps,
    paid,
    await notifiedStep(gateway, payment, ask),
    isEarly ? AFTER_SETTLEMENT : await refundedStep(gateway, payment, ask),
    settled,
  ]
}

function testedStep(gateway: JsonObject): FirstStep {
  const failed = failedChecks(gateway)
  return failed.length === 0
    ? { step: 'tested', state: 'ok', found: `${String(gateway.name)} works` }
    : { step: 'tested', state: 'failed', found: `Failed: ${failed.join(', ')}` }
}

async function routedStep({ id, name }: JsonObject, ask: Ask): Promise<FirstStep> {
  const { body } = await ask({ method: 'GET', path: '/admin/gateway_routes' })
  const routes = Array.isArray(body.routes) ? body.routes.filter(isObject) : []
  return routes.some(({ gateway_id: gatewayId, method }) => gatewayId === id && method !== 'bank_account')
    ? { step: 'routed', state: 'ok', found: 'Payments by card go to it' }
    : {
        step: 'routed',
        state: 'failed',
        found: `No payment by card goes to it: payctl gateways route --default ${String(name)}`,
      }
}

/** The link of the first payment, which is created once. */
async function linkFor(
  { id, name }: JsonObject,
  processing: string | undefined,
  ask: Ask,
): Promise<JsonObject> {
  const path = '/payment_links'
  const [known] = await listed(ask, path, [['attrs[first_payment]', String(id)]])
  if (known) return known
  const body = {
    type: 'one_time',
    amount: AMOUNT,
    description: `First payment by ${String(name)}`,
    attrs: { first_payment: String(id) },
    processing_id: processing ?? (await onlyAccount(ask)),
  }
  return (await ask({ method: 'POST', path, body })).body
}

/** The processing account that is the default, or the only one. Throws a `UsageError` if there are several. */
async function onlyAccount(ask: Ask): Promise<string> {
  const all = await listed(ask, '/processing_accounts', [['fields', 'id,is_default']])
  const account = all.find(({ is_default: isDefault }) => isDefault === true) ?? all[0]
  if (!account || (all.length > 1 && account.is_default !== true))
    throw new UsageError('Missing --processing: the processing account that is paid')
  return String(account.id)
}

/** The payment by a link that was not declined. */
async function paymentBy({ id }: JsonObject, ask: Ask): Promise<JsonObject | undefined> {
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

async function notifiedStep(gateway: JsonObject, payment: JsonObject, ask: Ask): Promise<FirstStep> {
  const step = 'notified'
  const [notice] = await listed(ask, '/admin/gateway_notifications', [
    ['gateway', String(gateway.name)],
    ['gateway_id', String(payment.gateway_id)],
  ])
  const { body } = await ask({ method: 'GET', path: `${GATEWAYS}/${String(gateway.id)}` })
  if (!notice)
    return { step, state: 'waiting', found: 'No notification of it has come yet: is the endpoint reached?' }
  // Polling finds events as well, but not in time.
  return body.notified_at === null
    ? { step, state: 'failed', found: 'Only polling has found it: nothing comes to the endpoint' }
    : { step, state: 'ok', found: `${String(notice.type)} came at ${String(notice.created_at)} (UTC)` }
}

async function refundedStep(gateway: JsonObject, payment: JsonObject, ask: Ask): Promise<FirstStep> {
  const path = '/transactions'
  const [known] = await listed(ask, path, [
    ['type', 'refund'],
    ['attrs[first_payment]', String(gateway.id)],
  ])
  const body = {
    type: 'refund',
    amount: AMOUNT,
    attrs: { first_payment: String(gateway.id) },
    ledger: [{ assoc_transaction_id: String(payment.id) }],
  }
  const refund = known ?? (await ask({ method: 'POST', path, body })).body
  const found = `${String(refund.id)} is ${String(refund.status)}`
  if (refund.status === 'declined') return { step: 'refunded', state: 'failed', found }
  return { step: 'refunded', state: refund.status === 'processed' ? 'ok' : 'waiting', found }
}

async function settledStep({ id }: JsonObject, ask: Ask): Promise<FirstStep> {
  const [line] = await listed(ask, '/admin/settlement_lines', [['transaction_id', String(id)]])
  return line
    ? { step: 'settled', state: 'ok', found: `It is in the settlement ${String(line.settlement_id)}` }
    : { step: 'settled', state: 'waiting', found: 'Not settled yet: run this again in some days' }
}

async function listed(ask: Ask, path: string, query: readonly QueryPair[]): Promise<readonly JsonObject[]> {
  const { values } = (await ask({ method: 'GET', path, query: [...query, ['limit', '10']] })).body
  return Array.isArray(values) ? values.filter(isObject) : []
}
