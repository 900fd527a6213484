import type { Stripe } from 'stripe'
import type { PayerAction } from '../payer-action.js'

/** Parameters by which a payer who is there may authenticate, or `undefined` where none is there. */
export interface Authentication {
  /** Address of ours to which the payer comes back. */
  readonly returnUrl: string | undefined
  /** Whether a page of ours can load Stripe's script, which needs the publishable key. */
  readonly hasScript: boolean
}

/**
 * Parameters of an intent that this service confirms and that the payer authenticates in the browser. Either Stripe's
 * script does so in the page, or the payer goes to Stripe's own address and comes back.
 */
export function authenticationParams({ returnUrl, hasScript }: Authentication) {
  return {
    ...(returnUrl !== undefined && { return_url: returnUrl }),
    ...(hasScript && { use_stripe_sdk: true }),
  }
}

/** Intents of payments and of methods: both ask for the payer in the same way. */
type Intent = Pick<Stripe.PaymentIntent | Stripe.SetupIntent, 'client_secret'> & {
  readonly next_action: {
    readonly type: string
    readonly redirect_to_url?: { readonly url: string | null }
  } | null
}

/**
 * The payer's step. Empty for one that takes no page but days, as the verification of a bank account by two small
 * deposits.
 */
export function actionIn({ client_secret: clientSecret, next_action: action }: Intent): PayerAction {
  const url = action?.type === 'redirect_to_url' ? action.redirect_to_url?.url : undefined
  if (url) return { redirect: url }
  return action?.type === 'use_stripe_sdk' && clientSecret ? { clientSecret } : {}
}
