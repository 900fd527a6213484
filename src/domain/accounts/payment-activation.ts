import { invalidAttributes } from '../../engine/core/request/errors.js'
import { ownAccount } from '../../engine/core/request/principal.js'
import type { InputByName, Rule, Work } from '../../engine/core/write/work.js'
import type { PaymentActivationRow } from '../../engine/store/database/tables.js'
import type { Input } from '../../schema/types.js'
import { type ActivationStatus, nextStatus } from './activation-status.js'

type ActivationInput = InputByName['payment_activation']

/**
 * A customer is asked for a payment method; when it is given, the activation is `activated` and the method becomes the
 * customer's default if there is none. Spec: "Events", `payment_activation:status`.
 */
export const paymentActivationRule: Rule<'payment_activation'> = {
  async create(work, input) {
    refuseNew(work, input)
    const customer = input.customer_id ? await work.find('customer', input.customer_id) : undefined
    if (!customer) throw invalidAttributes({ customer_id: 'Not found' })
    const named = input.processing_id ?? customer.primary_processing_id
    const processing_id = ownAccount(work.principal, named)
    const row = await work.createPlainly('payment_activation', { ...input, processing_id })
    announceActivation(work, row)
    return row
  },

  async update(work, row, input) {
    refuseOtherMethod(row, input)
    refusePast(work, row, input)
    const gift = await giftOf(work, row, input)
    const requested = { status: requestedStatus(row, input), gives: gift !== undefined }
    const status = nextStatus(row, requested, work.now)
    const changed = await work.updatePlainly('payment_activation', row, { ...input, ...gift, status })
    if (gift) await makeDefault(work, changed)
    if (status !== row.status) announceActivation(work, changed)
    return changed
  },
}

export function announceActivation(work: Work, row: PaymentActivationRow): void {
  work.emit({
    trigger: 'payment_activation:status',
    object: 'payment_activation',
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
  if (input.customer) throw invalidAttributes({ customer: 'Is created at its own path only' })
  if (input.expires_at && input.expires_at <= work.now)
    throw invalidAttributes({ expires_at: 'Must be in the future' })
}

function refusePast({ now }: Work, row: PaymentActivationRow, { expires_at }: ActivationInput): void {
  if (expires_at && expires_at !== row.expires_at && expires_at <= now)
    throw invalidAttributes({ expires_at: 'Must be in the future' })
}

/** A method that was given stays. */
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

/** The payment method that the input gives: one of the customer's by its id, or a new one. Nothing when it gives none. */
async function giftOf(
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
  const method = await work.find('payment_method', id)
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

/** Of two that are activated at once, one method becomes the default: they wait for the customer. */
async function makeDefault(work: Work, row: PaymentActivationRow): Promise<void> {
  const { customer_id: customer, payment_method_id: method } = row
  if (customer === null || method === null) return
  await work.lock('customer', customer)
  const methods = await work.findBy('payment_method', 'account_id', customer)
  if (methods.some(({ default_payment_method: isDefault }) => isDefault === 1)) return
  await work.change('payment_method', method, { default_payment_method: 1 })
}
