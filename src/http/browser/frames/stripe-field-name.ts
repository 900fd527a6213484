/** The field of this service that an error code of Stripe is about. */
export function stripeFieldName(code = ''): 'expiry' | 'card_code' | 'card_number' {
  if (/expiry|exp_/.test(code)) return 'expiry'
  return /cvc/.test(code) ? 'card_code' : 'card_number'
}
