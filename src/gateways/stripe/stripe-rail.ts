import type { Stripe } from 'stripe'
import type {
  Capabilities,
  Credentials,
  GatewayMethod,
  GatewayOperation,
  GatewayOutcome,
  Rail,
  RailEffects,
} from '../contract.js'
import { UnknownOutcome } from '../unknown-outcome.js'
import { expectAbout, expectObject } from './expect-object.js'
import { cancelPayment } from './stripe-cancel.js'
import { stripeCheck } from './stripe-check.js'
import { stripeClient } from './stripe-client.js'
import { stripeDisputes } from './stripe-disputes.js'
import { stripeEndpoints } from './stripe-endpoints.js'
import { stripeEvents } from './stripe-events.js'
import { paymentIn, preparationRefusal, readingFailure, refusalIn } from './stripe-failure.js'
import { describeStripeToken, stripeFields } from './stripe-fields.js'
import { findAt } from './stripe-find.js'
import { locatePayments } from './stripe-locate.js'
import { prepareMethod } from './stripe-method.js'
import { stripeNotices } from './stripe-notices.js'
import { stripeOperations } from './stripe-operations.js'
import { changeOutcome, isVoidedByRefund, paymentOutcome, refundOutcome } from './stripe-outcome.js'
import { metadataOf, paymentParams, WITH_CHARGE } from './stripe-payment.js'
import { stripeSettlements } from './stripe-settlements.js'
import { findStoredMethod, storeMethod } from './stripe-store.js'

const CAPABILITIES: Capabilities = {
  methods: ['card', 'bank_account'],
  bankNumbers: false,
  partialRefund: true,
  partialCapture: true,
  voidCaptured: 'refund',
  refundBeforeSettlement: true,
  settlesRefunded: true,
  authorizationLifetime: 7 * 86_400_000,
  tokens: true,
  authentication: true,
  store: true,
  idempotency: 'key',
  horizon: 15 * 60_000,
  reports: {
    fees: true,
    payouts: true,
    disputes: true,
    failedRefunds: true,
    failedPayouts: true,
    reserves: true,
  },
}

/** Sends an operation on the payment `id` to Stripe; `refusalIn` interprets the errors that it throws. */
type Performing = (stripe: Stripe, operation: GatewayOperation, id: string) => Promise<GatewayOutcome>

/** Cards and American bank accounts at Stripe. */
export function stripeRail({ http, now }: RailEffects): Rail {
  const clients = new WeakMap<Credentials, Stripe>()
  const known = (credentials: Credentials): Stripe => {
    const client = clients.get(credentials) ?? stripeClient(http, credentials)
    clients.set(credentials, client)
    return client
  }
  const clientFor = ({ merchant }: Pick<GatewayOperation, 'merchant'>, credentials: Credentials): Stripe =>
    merchant === undefined || merchant === credentials.merchant
      ? known(credentials)
      : stripeClient(http, { ...credentials, merchant })

  return {
    capabilities: CAPABILITIES,

    async perform(operation, credentials) {
      const stripe = clientFor(operation, credentials)
      if (operation.type === 'sale' || operation.type === 'authorize')
        return await pay(stripe, operation, hasScript(credentials))
      if (!operation.parent) return { result: 'declined', statusCode: 'credit_not_supported' }
      return await change(stripe, operation, CHANGES[operation.type])
    },

    find: async (operation, sent, credentials) =>
      await findAt(clientFor(operation, credentials), operation, sent),

    cancel: async (operation, sent, credentials) =>
      await cancelPayment(clientFor(operation, credentials), operation, sent),

    store: async (operation, credentials) =>
      await storeMethod(clientFor(operation, credentials), operation, hasScript(credentials)),

    findStored: async (operation, sent, credentials) =>
      await findStoredMethod(clientFor(operation, credentials), operation, sent),

    async locate(sent, credentials) {
      const payments = sent.filter(({ operation: { type } }) => type === 'sale' || type === 'authorize')
      const [first] = payments
      if (!first) return new Map()
      try {
        return await locatePayments(clientFor(first.operation, credentials), payments)
      } catch (error) {
        throw readingFailure(error)
      }
    },

    check: stripeCheck(known),
    endpoints: stripeEndpoints(known),
    notifications: stripeEvents({ clientOf: known, now }),

    fieldMethods: ({ secrets }) => (secrets['publishable_key'] ? ['card'] : []),
    fields: async (merchant, credentials) => stripeFields(merchant, credentials),
    describe: async (given, credentials) => await describeStripeToken(clientFor(given, credentials), given),

    ...stripeNotices({ clientOf: known, now }),
    ...stripeSettlements({ clientOf: known, now }),
    ...stripeDisputes({ clientOf: known }),
    operations: stripeOperations(known),
  }
}

/** Whether pages can load Stripe's script. */
function hasScript({ secrets }: Credentials): boolean {
  return secrets['publishable_key'] !== undefined
}

/** Creates the payment method, then the payment. Only the second call moves money. */
async function pay(stripe: Stripe, operation: GatewayOperation, hasScript: boolean): Promise<GatewayOutcome> {
  const { method, type, reference, initiator = 'payer' } = operation
  if (!method) throw new UnknownOutcome(`${reference} has no payment method`)
  if (type === 'authorize' && method.type === 'bank_account')
    return { result: 'declined', statusCode: 'authorization_not_supported' }
  let prepared: Awaited<ReturnType<typeof prepareMethod>>
  try {
    prepared = await prepareMethod(stripe, operation, method)
    const { isNew, customer, paymentMethod } = prepared
    if (isNew && customer !== undefined && initiator !== 'payer')
      await stripe.paymentMethods.attach(paymentMethod, { customer })
  } catch (error) {
    return namingToken(preparationRefusal(error, method), method)
  }
  const isMeant = ({ metadata }: Stripe.PaymentIntent) => metadata['reference'] === reference
  try {
    const params = paymentParams(operation, method, prepared, hasScript)
    const intent = await stripe.paymentIntents.create(params, { idempotencyKey: reference })
    return paymentOutcome(expectAbout(expectObject(intent, 'payment_intent'), isMeant))
  } catch (error) {
    return namingToken(refusalIn(error, { isMeant, method }), method)
  }
}

/** The outcome, with the status code `token_unknown` if Stripe does not know the token. */
function namingToken(outcome: GatewayOutcome, { token }: GatewayMethod): GatewayOutcome {
  const isUnknown =
    outcome.result === 'declined' && outcome.code === 'resource_missing' && token !== undefined
  return isUnknown ? { ...outcome, statusCode: 'token_unknown', isHard: true } : outcome
}

async function change(
  stripe: Stripe,
  operation: GatewayOperation,
  perform: Performing,
): Promise<GatewayOutcome> {
  let id: string | undefined
  try {
    id = await parentIdOf(stripe, operation)
  } catch (error) {
    return preparationRefusal(error)
  }
  if (id === undefined)
    return { result: 'not_sent', problem: 'Stripe does not list the payment yet', isReached: true }
  const isMeant = withId(id)
  try {
    return await perform(stripe, operation, id)
  } catch (error) {
    const { type } = operation
    const intent = paymentIn(error, isMeant)
    const outcome =
      intent && (type === 'capture' || type === 'void') ? changeOutcome(intent, type) : undefined
    return outcome ?? refusalIn(error, { isMeant })
  }
}

/**
 * Stripe's id of the operation's parent. If the parent's answer was lost, Stripe is searched for it; the search lags,
 * so it may be undefined.
 */
async function parentIdOf(stripe: Stripe, { parent }: GatewayOperation): Promise<string | undefined> {
  if (!parent) return undefined
  if (parent.gatewayId !== null) return parent.gatewayId
  const { data } = await stripe.paymentIntents.search({
    query: `metadata['reference']:'${parent.reference}'`,
  })
  return data[0]?.id
}

const withId = (id: string) => (intent: Stripe.PaymentIntent) => intent.id === id

const refund: Performing = async (stripe, operation, id) => {
  const params = { payment_intent: id, amount: operation.amount, metadata: metadataOf(operation) }
  const made = await stripe.refunds.create(params, { idempotencyKey: operation.reference })
  const isMeant = ({ payment_intent: of, metadata }: Stripe.Refund) =>
    of === id && metadata?.['reference'] === operation.reference
  return refundOutcome(expectAbout(expectObject(made, 'refund'), isMeant))
}

const CHANGES: Readonly<Record<'capture' | 'void' | 'refund' | 'credit', Performing>> = {
  refund,
  credit: async () => ({ result: 'declined', statusCode: 'credit_not_supported' }),

  async capture(stripe, { amount, reference }, id) {
    const params = { amount_to_capture: amount, ...WITH_CHARGE }
    const intent = await stripe.paymentIntents.capture(id, params, { idempotencyKey: reference })
    const outcome = changeOutcome(expectAbout(expectObject(intent, 'payment_intent'), withId(id)), 'capture')
    if (!outcome) throw new UnknownOutcome(`${id} is ${intent.status} after its capture`)
    return outcome
  },

  /** Cancels the payment. If payctl has captured it, refunds `amount` instead. */
  async void(stripe, operation, id) {
    const { reference } = operation
    const retrieved = await stripe.paymentIntents.retrieve(id)
    const before = expectAbout(expectObject(retrieved, 'payment_intent'), withId(id))
    if (isVoidedByRefund(operation, before)) return await refund(stripe, operation, id)
    const intent = await stripe.paymentIntents.cancel(id, {}, { idempotencyKey: reference })
    const outcome = changeOutcome(expectAbout(expectObject(intent, 'payment_intent'), withId(id)), 'void')
    if (!outcome) throw new UnknownOutcome(`${id} is ${intent.status} after its void`)
    return outcome
  },
}
