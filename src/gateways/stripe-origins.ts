import type { FieldsOrigins } from './payer-fields.js'

/** Origins that Stripe publishes for policies of pages with its fields: its guide on security, "Content security policy". */
export const STRIPE_ORIGINS: FieldsOrigins = {
  script: ['https://js.stripe.com', 'https://*.js.stripe.com'],
  frame: ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
  connect: ['https://api.stripe.com'],
}
