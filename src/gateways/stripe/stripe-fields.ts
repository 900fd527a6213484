import type { Stripe } from 'stripe'
import type { Credentials } from '../contract.js'
import type { GivenToken, MethodDescription, PayerFields } from '../payer-fields.js'
import { STRIPE_ORIGINS } from '../stripe-origins.js'
import { expectObject } from './expect-object.js'
import { isMissing, readingFailure } from './stripe-failure.js'

/** Stripe's own base address. The script and its published origins apply only to this address. */
const API = 'https://api.stripe.com'
/** Stripe.js of the same release as `STRIPE_VERSION`. */
const SCRIPT = 'https://js.stripe.com/endive/stripe.js'

/**
 * Stripe's fields for a page. With another base address, that server also serves the script. Throws an error if there
 * is no publishable key.
 */
export function stripeFields(merchant: string | undefined, credentials: Credentials): PayerFields {
  const { baseUrl, secrets } = credentials
  const { publishable_key: publishableKey } = secrets
  if (!publishableKey) throw new Error('It has no publishable key')
  const { origin } = new URL(baseUrl)
  const isOwn = baseUrl === API
  const account = merchant ?? credentials.merchant
  return {
    kind: 'stripe',
    script: isOwn ? SCRIPT : `${origin}/endive/stripe.js`,
    origins: isOwn ? STRIPE_ORIGINS : { script: [origin], frame: [origin], connect: [origin] },
    settings: { publishableKey, ...(account !== undefined && { stripeAccount: account }) },
  }
}

const KINDS = { card: 'card', bank_account: 'us_bank_account' } as const

/**
 * Describes the method of a token. Undefined for a token that Stripe does not know, that is of another kind, or that
 * the sender may not use.
 */
export async function describeStripeToken(
  stripe: Stripe,
  { type, token, isFromPage }: GivenToken,
): Promise<MethodDescription | undefined> {
  const [first = '', second] = token.split('/')
  const id = second ?? first
  if (!/^\w+$/.test(id) || (isFromPage && (second !== undefined || !id.startsWith('pm_')))) return undefined
  try {
    const method = expectObject(await stripe.paymentMethods.retrieve(id), 'payment_method')
    const isAnothers = isFromPage && method.customer !== null
    const isOtherKind = type !== undefined && method.type !== KINDS[type]
    if (isAnothers || isOtherKind) return undefined
    return stripeDescription(method)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw readingFailure(error)
  }
}

/** The parts of a payment method, or of a charge's method, that are read. A charge may lack any of them. */
interface Described {
  readonly card?: {
    readonly brand?: string | null
    readonly last4?: string | null
    readonly exp_month?: number
    readonly exp_year?: number
    readonly funding?: string | null
    readonly fingerprint?: string | null
  }
  readonly us_bank_account?: { readonly last4?: string | null; readonly fingerprint?: string | null }
}

export function stripeDescription({ card, us_bank_account: bank }: Described): MethodDescription {
  const { last4, fingerprint } = card ?? bank ?? {}
  const number = { ...(last4 && { lastFour: last4 }), ...(fingerprint && { fingerprint }) }
  if (!card) return number
  const { brand, exp_month: month, exp_year: year, funding } = card
  return {
    ...number,
    brand: BRANDS[brand ?? ''],
    funding: fundingOf(funding),
    ...(month !== undefined && year !== undefined && { expiry: expiryOf(month, year) }),
  }
}

const BRANDS: Readonly<Record<string, MethodDescription['brand']>> = {
  amex: 'american_express',
  discover: 'discover',
  mastercard: 'mastercard',
  visa: 'visa',
}

function fundingOf(funding: string | null | undefined): MethodDescription['funding'] {
  return funding === 'credit' || funding === 'debit' || funding === 'prepaid' ? funding : undefined
}

function expiryOf(month: number, year: number): string {
  return `${String(month).padStart(2, '0')}/${String(year % 100).padStart(2, '0')}`
}
