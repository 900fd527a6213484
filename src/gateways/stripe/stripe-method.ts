import type { Stripe } from 'stripe'
import type { GatewayMethod, GatewayOperation } from '../contract.js'
import { expectObject } from './expect-object.js'

/** A payment method at Stripe, ready for a payment. */
export interface StripeMethod {
  readonly paymentMethod: string
  /** The customer that the method belongs to. Stripe allows a second use of a method only for its customer. */
  readonly customer: string | undefined
  /** Whether the method has not been used before. */
  readonly isNew: boolean
}

/**
 * Creates the method of a payment from its number or its token, and a new customer if the method is to be stored. No
 * money moves, so a failure here leaves no operation with an unknown outcome.
 */
export async function prepareMethod(
  stripe: Stripe,
  operation: Pick<GatewayOperation, 'reference'>,
  method: GatewayMethod,
): Promise<StripeMethod> {
  const { reference } = operation
  if (method.token) {
    const [first = '', second] = method.token.split('/')
    if (second !== undefined) return { paymentMethod: second, customer: first, isNew: false }
    const { customer } = expectObject(await stripe.paymentMethods.retrieve(first), 'payment_method')
    if (customer !== null) return { paymentMethod: first, customer: idOf(customer), isNew: false }
    return { paymentMethod: first, customer: await customerFor(stripe, operation, method), isNew: true }
  }
  const customer = await customerFor(stripe, operation, method)
  const made = await stripe.paymentMethods.create(methodParams(method), {
    idempotencyKey: `${reference}-method`,
  })
  return { paymentMethod: expectObject(made, 'payment_method').id, customer, isNew: true }
}

/** Token of an intent's method, `customer/method`; null if the method is not stored. */
export function tokenOf({
  customer,
  payment_method: method,
}: Pick<Stripe.PaymentIntent | Stripe.SetupIntent, 'customer' | 'payment_method'>): string | null {
  return customer === null || method === null ? null : `${idOf(customer)}/${idOf(method)}`
}

function idOf(value: string | { readonly id: string }): string {
  return typeof value === 'string' ? value : value.id
}

async function customerFor(
  stripe: Stripe,
  { reference }: Pick<GatewayOperation, 'reference'>,
  { isKept, holder }: GatewayMethod,
): Promise<string | undefined> {
  if (isKept === false) return undefined
  const made = await stripe.customers.create(
    { metadata: { reference }, ...(holder !== undefined && { name: holder }) },
    { idempotencyKey: `${reference}-customer` },
  )
  return expectObject(made, 'customer').id
}

function methodParams(method: GatewayMethod): Stripe.PaymentMethodCreateParams {
  const { number, holder } = method
  const billing = {
    billing_details: { ...(holder !== undefined && { name: holder }), address: addressOf(method) },
  }
  if (method.type === 'bank_account')
    return {
      ...billing,
      type: 'us_bank_account',
      us_bank_account: {
        account_number: number,
        routing_number: method.routing ?? '',
        account_type: method.accountType ?? 'checking',
        account_holder_type: method.accountClass === 'business' ? 'company' : 'individual',
      },
    }
  const [month, year] = (method.expiry ?? '').split('/').map(Number)
  return {
    ...billing,
    type: 'card',
    card: {
      number,
      ...(month && year !== undefined && { exp_month: month, exp_year: 2000 + year }),
      ...(method.cardCode !== undefined && { cvc: method.cardCode }),
    },
  }
}

function addressOf({ street, city, state, postalCode, country }: GatewayMethod): Stripe.AddressParam {
  return {
    ...(street !== undefined && { line1: street }),
    ...(city !== undefined && { city }),
    ...(state !== undefined && { state }),
    ...(postalCode !== undefined && { postal_code: postalCode }),
    ...(country !== undefined && { country }),
  }
}
