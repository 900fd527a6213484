import type { Stripe } from 'stripe'
import type { PayerAction } from '../payer-action.js'

/** Ways in which an online payer can authenticate. */
export interface Authentication {
  /** Our address to which the payer comes back from Stripe; undefined if no payer is online. */
  readonly returnUrl: string | undefined
  /** Whether a page of ours can load Stripe's script, which needs the publishable key. */
  readonly hasScript: boolean
}

/**
 * Parameters of an intent that payctl confirms and the payer may have to authenticate in the browser. Either Stripe's
 * script does so in the page, or the payer goes to Stripe's own address and comes back.
 */
export function authenticationParams({ returnUrl, hasScript }: Authentication) {
  return {
    ...(returnUrl !== undefined && { return_url: returnUrl }),
    ...(hasScript && { use_stripe_sdk: true }),
  }
}

/** PaymentIntent or SetupIntent: both request the payer's authentication in the same fields. */
type Intent = Pick<Stripe.PaymentIntent | Stripe.SetupIntent, 'client_secret'> & {
  readonly next_action: {
    readonly type: string
    readonly redirect_to_url?: { readonly url: string | null }
  } | null
}

/**
 * Step that an intent requires of the payer. Empty for a step without a page, such as the verification of a bank
 * account by two small deposits, which takes days.
 */
export function actionIn({ client_secret: clientSecret, next_action: action }: Intent): PayerAction {
  const url = action?.type === 'redirect_to_url' ? action.redirect_to_url?.url : undefined
  if (url) return { redirect: url }
  return action?.type === 'use_stripe_sdk' && clientSecret ? { clientSecret } : {}
}
