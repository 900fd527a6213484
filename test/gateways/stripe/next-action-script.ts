/**
 * The part of Stripe.js that carries out the payer's step, for pages of tests: the bank's page in an overlay. As the
 * reference says, it rejects nothing and answers `{ error }` for an intent that asks for no step.
 */
export function nextActionScript(origin: string): string {
  return `'use strict'
window.Stripe = (key) => {
  if (!/^pk_(test|live)_/.test(key)) throw new Error('IntegrationError: Invalid publishable key')
  return {
    handleNextAction: ({ clientSecret }) => new Promise((resolve) => {
      const frame = document.createElement('iframe')
      frame.title = 'Your bank'
      frame.src = '${origin}/challenge/' + clientSecret.split('_secret_')[0] + '?frame=1'
      Object.assign(frame.style, { position: 'fixed', inset: 0, width: '100%', height: '100%', border: 0, zIndex: 2147483647, background: '#fff' })
      addEventListener('message', function over({ origin, data }) {
        if (origin !== '${origin}' || data.clientSecret !== clientSecret) return
        removeEventListener('message', over)
        frame.remove()
        resolve(data.passes ? { paymentIntent: { status: 'succeeded' } } : { error: { code: 'payment_intent_authentication_failure' } })
      })
      document.body.append(frame)
    }),
  }
}
`
}
