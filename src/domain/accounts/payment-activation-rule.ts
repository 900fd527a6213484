import { type ApiError, invalidAttributes } from '../../engine/core/request/api-error.js'
import { ownAccount } from '../../engine/core/request/principal.js'
import type { Rule, Work } from '../../engine/core/write/work.js'
import type { Expiring } from '../../engine/jobs/expire.js'
import type { PaymentActivationRow } from '../../engine/store/database/tables.js'
import { resources } from '../../resources/resource-table.js'
import type { Input, InputFor } from '../../schema/types.js'

type ActivationInput = InputFor<typeof resources.payment_activation>

/**
 * Rule of payment activations, each of which requests a payment method from a customer. Once the method is added, the
 * activation is `activated`. The method becomes the customer's default if there is none. Spec: "Events",
 * `payment_activation:status`.
 */
export const paymentActivationRule: Rule<typeof resources.payment_activation> = {
  handles: ['payment_method'],

  async create(work, input) {
    refuseNew(work, input)
    const customer = input.customer_id ? await work.find(resources.customer, input.customer_id) : undefined
    if (!customer) throw invalidAttributes({ customer_id: 'Not found' })
    const named = input.processing_id ?? customer.primary_processing_id
    const processing_id = ownAccount(work.principal, named)
    const row = await work.createPlainly(resources.payment_activation, { ...input, processing_id })
    announceActivation(work, row)
    return row
  },

  async update(work, row, input) {
    refuseOtherMethod(row, input)
    refusePast(work, row, input)
    const method = await methodInput(work, row, input)
    const requested = { status: requestedStatus(row, input), addsMethod: method !== undefined }
    const status = nextStatus(row, requested, work.now)
    const changed = await work.updatePlainly(resources.payment_activation, row, {
      ...input,
      ...method,
      status,
    })
    if (method) await makeDefault(work, changed)
    if (status !== row.status) announceActivation(work, changed)
    return changed
  },
}

function announceActivation(work: Work, row: PaymentActivationRow): void {
  work.emit({
    trigger: 'payment_activation:status',
    object: resources.payment_activation,
    id: row.id,
    value: row.status,
    processingId: row.processing_id,
  })
}

function refuseNew(work: Work, input: ActivationInput): void {
  if (input.status && input.status !== 'pending')
    throw invalidAttributes({ status: 'Must be one of: pending' })
  for (const name of ['payment_method_id', 'payment_method'] as const) {
    if (input[name]) throw invalidAttributes({ [name]: 'Is given by an update' })
  }
  if (input.expires_at && input.expires_at <= work.now)
    throw invalidAttributes({ expires_at: 'Must be in the future' })
}

function refusePast({ now }: Work, row: PaymentActivationRow, { expires_at }: ActivationInput): void {
  if (expires_at && expires_at !== row.expires_at && expires_at <= now)
    throw invalidAttributes({ expires_at: 'Must be in the future' })
}

/** Once added, the method cannot be changed. */
function refuseOtherMethod(row: PaymentActivationRow, input: ActivationInput): void {
  const given = row.payment_method_id
  if (given === null) return
  if (input.payment_method_id !== undefined && input.payment_method_id !== given)
    throw invalidAttributes({ payment_method_id: 'Read only' })
  if (input.payment_method !== undefined && input.payment_method?.id !== given)
    throw invalidAttributes({ payment_method: 'Read only' })
}

function requestedStatus(row: PaymentActivationRow, { status }: ActivationInput): ActivationStatus {
  if (status === null) throw invalidAttributes({ status: 'Required' })
  return status ?? row.status ?? 'pending'
}

/**
 * The payment method that the input adds: a new one, or one of the customer's by its id. Undefined when it adds none.
 */
async function methodInput(
  work: Work,
  row: PaymentActivationRow,
  { payment_method: tree, payment_method_id }: ActivationInput,
): Promise<Input | undefined> {
  if (row.payment_method_id !== null) return undefined
  if (tree && payment_method_id)
    throw invalidAttributes({ payment_method: 'Must not be sent with payment_method_id' })
  if (tree && typeof tree.id !== 'string') return { payment_method: newMethod(row, tree) }
  const id = payment_method_id ?? tree?.id
  if (typeof id !== 'string') return undefined
  const method = await work.find(resources.payment_method, id)
  if (!method) throw invalidAttributes({ payment_method_id: 'Not found' })
  if (method.account_id !== row.customer_id)
    throw invalidAttributes({ payment_method_id: 'Belongs to another account' })
  if (method.keep_active === 0) throw invalidAttributes({ payment_method_id: 'Was used once and not saved' })
  return { payment_method: undefined, payment_method_id: id }
}

function newMethod({ customer_id }: PaymentActivationRow, tree: Input): Input {
  if (tree.keep_active === 0) throw invalidAttributes({ payment_method: { keep_active: 'Must be true' } })
  if (tree.account_id && tree.account_id !== customer_id)
    throw invalidAttributes({ payment_method: { account_id: 'Belongs to another account' } })
  return { ...tree, account_id: customer_id }
}

/**
 * Makes the added method the customer's default if there is none. The customer is locked, so that only one of two
 * concurrent activations does so.
 */
async function makeDefault(work: Work, row: PaymentActivationRow): Promise<void> {
  const { customer_id: customer, payment_method_id: method } = row
  if (customer === null || method === null) return
  await work.lock(resources.customer, customer)
  const methods = await work.findBy(resources.payment_method, 'account_id', customer)
  if (methods.some(({ default_payment_method: isDefault }) => isDefault === 1)) return
  await work.change(resources.payment_method, method, { default_payment_method: 1 })
}

type ActivationStatus = NonNullable<PaymentActivationRow['status']>

/** Changes of an activation that an update requests. */
interface RequestedActivation {
  readonly status: ActivationStatus
  /** Whether the update adds the payment method. */
  readonly addsMethod: boolean
}

/**
 * Status of an activation after an update. Throws `InvalidAttributes`. See docs/interface.md, "Payment activations".
 */
function nextStatus(
  { status, expires_at }: Pick<PaymentActivationRow, 'status' | 'expires_at'>,
  requested: RequestedActivation,
  now: string,
): ActivationStatus {
  const from = status ?? 'pending'
  if (requested.addsMethod) {
    if (from !== 'pending') throw refused(`Only a pending activation takes one, this is ${from}`)
    if (expires_at !== null && expires_at <= now) throw invalidAttributes({ expires_at: 'Expired' })
    if (requested.status === 'pending' || requested.status === 'activated') return 'activated'
  }
  if (requested.status === from) return from
  if (from === 'pending' && requested.status === 'activated') throw refused('Required')
  if (from === 'pending' && requested.status === 'canceled' && !requested.addsMethod) return 'canceled'
  throw invalidAttributes({ status: `Cannot change from ${from} to ${requested.status}` })
}

function refused(message: string): ApiError {
  return invalidAttributes({ payment_method_id: message })
}

/** Pending activations become `expired` when their time is over. */
export const expireActivations: Expiring = {
  name: 'expire_payment_activations',
  table: 'payment_activations',
  from: 'pending',
  async expire(work, id, until) {
    const row = await work.lock(resources.payment_activation, id)
    if (row?.status !== 'pending' || row.expires_at === null || row.expires_at > until) return false
    announceActivation(work, await work.change(resources.payment_activation, id, { status: 'expired' }))
    return true
  },
}
