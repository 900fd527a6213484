import type { FieldsOrigins } from './payer-fields.js'

/**
 * Origins that a page with Stripe's fields must allow, from "Content security policy" in Stripe's guide on security.
 */
export const STRIPE_ORIGINS: FieldsOrigins = {
  script: ['https://js.stripe.com', 'https://*.js.stripe.com'],
  frame: ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
  connect: ['https://api.stripe.com'],
}
