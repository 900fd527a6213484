import { authorize } from '../../../engine/core/query/authorize.js'
import { invalidAttributes } from '../../../engine/core/request/api-error.js'
import { withDetailPath } from '../../../engine/core/request/error-details.js'
import type { Work } from '../../../engine/core/write/work.js'
import type { AccountRow, PaymentMethodRow } from '../../../engine/store/database/tables.js'
import type { GatewayMethod } from '../../../gateways/contract.js'
import { resources } from '../../../resources/resource-table.js'
import { isExpired } from '../../../schema/card-brand.js'
import type { InputFor } from '../../../schema/types.js'
import { hasForeignOwner, tokenPlace } from '../../accounts/payment-method-rule.js'
import type { TransactionInput } from './new-transaction.js'
import { cardCodeOf, namedId, newRelated } from './related-objects.js'

/** Customer of a transaction, and the method that pays or is paid. */
export interface Payer {
  readonly customer: AccountRow | undefined
  readonly method: PaymentMethodRow
  /**
   * The method as a gateway accepts it, by its number, a token, or both; undefined when its number was deleted after
   * use.
   */
  readonly instrument: GatewayMethod | undefined
}

/**
 * Finds or creates the customer and the payment method that a transaction names; without a method, it uses the
 * customer's default. Throws `InvalidAttributes` on the attribute that is wrong.
 */
export async function payerOf(work: Work, input: TransactionInput): Promise<Payer> {
  const customer = await customerOf(work, input)
  const { method, instrument } = await methodOf(work, input, customer)
  if (customer || !method.account_id) return { customer, method, instrument }
  return { customer: await work.find(resources.customer, method.account_id), method, instrument }
}

/** The customer that is named, or created with the transaction; undefined without one. Throws `InvalidAttributes`. */
export async function customerOf(work: Work, input: TransactionInput): Promise<AccountRow | undefined> {
  const id = namedId(input, 'customer', 'customer_id')
  const tree = newRelated(input, 'customer')
  if (tree && id !== undefined) throw invalidAttributes({ customer: 'Must not be sent with customer_id' })
  if (tree) authorize(work.principal, 'POST', resources.customer)
  if (tree)
    return await withDetailPath(['customer'], () =>
      work.create(resources.customer, { ...tree, type: 'customer' }),
    )
  if (id === undefined) return undefined
  const customer = await work.find(resources.customer, id)
  if (!customer) throw invalidAttributes({ customer_id: 'Not found' })
  return customer
}

async function methodOf(
  work: Work,
  input: TransactionInput,
  customer: AccountRow | undefined,
): Promise<Pick<Payer, 'method' | 'instrument'>> {
  const id = namedId(input, 'payment_method', 'payment_method_id')
  const tree = newRelated(input, 'payment_method')
  if (tree && id !== undefined)
    throw invalidAttributes({ payment_method: 'Must not be sent with payment_method_id' })
  const cardCode = cardCodeOf(input)
  if (tree) {
    const created = await createMethod(work, tree, customer)
    return {
      method: created,
      instrument: newInstrument(created, tree, cardCode) ?? storedInstrument(work, created, cardCode),
    }
  }
  const [method, attribute] =
    id === undefined ? await defaultMethod(work, customer) : await storedMethod(work, id, customer)
  // The expiry of a method with a token is not checked: the card may have been renewed, which only its gateway knows.
  const { sealed_token: token, card__expiry: expiry } = method
  if (token === null && expiry && isExpired(expiry, work.now))
    throw invalidAttributes({ [attribute]: 'Expired' })
  const instrument = storedInstrument(work, method, cardCode)
  return { method, instrument: instrument && { ...instrument, isStored: method.keep_active !== 0 } }
}

async function createMethod(
  work: Work,
  tree: NonNullable<TransactionInput['payment_method']>,
  customer: AccountRow | undefined,
): Promise<PaymentMethodRow> {
  const named = tree.account_id ?? undefined
  if (customer && named !== undefined && named !== customer.id) {
    throw invalidAttributes({ payment_method: { account_id: 'Belongs to another account' } })
  }
  const whole =
    customer && tree.keep_active !== 0 ? Object.assign({}, tree, { account_id: customer.id }) : tree
  return await withDetailPath(['payment_method'], () => work.create(resources.payment_method, whole))
}

type Found = readonly [method: PaymentMethodRow, attribute: 'payment_method' | 'payment_method_id']

async function storedMethod(work: Work, id: string, customer: AccountRow | undefined): Promise<Found> {
  const method = await work.find(resources.payment_method, id)
  if (!method) throw invalidAttributes({ payment_method_id: 'Not found' })
  if (method.pending_store !== null) throw invalidAttributes({ payment_method_id: 'Is not saved yet' })
  const isAnothers = customer ? method.account_id !== customer.id : await hasForeignOwner(work, method)
  if (isAnothers) {
    throw invalidAttributes({ payment_method_id: 'Belongs to another account' })
  }
  return [method, 'payment_method_id']
}

async function defaultMethod(work: Work, customer: AccountRow | undefined): Promise<Found> {
  const methods = customer ? await work.findBy(resources.payment_method, 'account_id', customer.id) : []
  const active = methods.filter(
    ({ keep_active: isKept, pending_store: pending }) => isKept !== 0 && pending === null,
  )
  const chosen =
    methods.find((candidate) => candidate.default_payment_method === 1) ??
    (active.length === 1 ? active[0] : undefined)
  const method = chosen && (await work.find(resources.payment_method, chosen.id))
  if (!method) throw invalidAttributes({ payment_method: 'Required' })
  return [method, 'payment_method']
}

/**
 * A stored method with its numbers decrypted, for the gateway only. Undefined when neither a number nor a token is
 * stored.
 */
export function storedInstrument(
  work: Work,
  row: PaymentMethodRow,
  cardCode: string | undefined,
): GatewayMethod | undefined {
  const known = knownBy(work, row)
  if (row.type === 'bank_account') {
    const number = opened(work, row, 'bank_account__account_number') ?? ''
    const routing = opened(work, row, 'bank_account__routing_number')
    return number || known.token
      ? { type: 'bank_account', number, routing, ...bankOf(row), ...known }
      : undefined
  }
  const number = opened(work, row, 'card__card_number') ?? ''
  return number || known.token ? { type: 'card', number, ...cardOf(row, cardCode), ...known } : undefined
}

/** Identifiers of a stored method at gateways and card networks; most methods have none. */
function knownBy({ vault }: Work, method: PaymentMethodRow) {
  const { sealed_token: sealed, network_id, network_amount: amount } = method
  return {
    ...(sealed !== null && { token: vault.open(sealed, tokenPlace(method)) }),
    ...(network_id !== null && { networkId: network_id, ...(amount !== null && { networkAmount: amount }) }),
  }
}

/**
 * A method that is created with this payment: its numbers are in the input and need no decryption. Undefined without
 * numbers.
 */
function newInstrument(
  row: PaymentMethodRow,
  { card, bank_account: bank }: Pick<InputFor<typeof resources.payment_method>, 'card' | 'bank_account'>,
  cardCode: string | undefined,
): GatewayMethod | undefined {
  if (row.type === 'bank_account') {
    const { account_number: number, routing_number: routing } = bank ?? {}
    return number && routing ? { type: 'bank_account', number, routing, ...bankOf(row) } : undefined
  }
  const number = card?.card_number
  return number ? { type: 'card', number, ...cardOf(row, cardCode) } : undefined
}

function addressOf(row: PaymentMethodRow) {
  return {
    holder: row.account_holder ?? undefined,
    postalCode: row.billing_address__postal_code ?? undefined,
    street: row.billing_address__street_address ?? undefined,
    city: row.billing_address__city ?? undefined,
    state: row.billing_address__state_province ?? undefined,
    country: row.billing_address__country_code ?? undefined,
  }
}

function bankOf(row: PaymentMethodRow) {
  return {
    ...addressOf(row),
    ...usedOnce(row),
    accountType: row.bank_account__account_type ?? undefined,
    accountClass: row.bank_account__account_class ?? undefined,
  }
}

function cardOf(row: PaymentMethodRow, cardCode: string | undefined) {
  return { expiry: row.card__expiry ?? undefined, cardCode, ...addressOf(row), ...usedOnce(row) }
}

/** Marks a method that is used only once, so that the gateway makes no token for it. */
function usedOnce({ keep_active: isKept }: PaymentMethodRow) {
  return isKept === 0 ? { isKept: false } : {}
}

type Sealed = 'card__card_number' | 'bank_account__account_number' | 'bank_account__routing_number'

function opened(work: Work, row: PaymentMethodRow, column: Sealed): string | undefined {
  const sealed = row[column]
  return sealed === null
    ? undefined
    : work.vault.open(sealed, { table: 'payment_methods', column, id: row.id })
}
