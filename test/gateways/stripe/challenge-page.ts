import type { StripeRequest } from './stripe-server.js'
import type { StripeSetups } from './stripe-setups.js'

interface ChallengeAnswer {
  readonly status: number
  readonly headers: Record<string, string>
  readonly text: string
}

/**
 * Answers requests to the page of the payer's bank: the form to authenticate or refuse, and the way back to the
 * merchant. Undefined for any other request.
 */
export function challengeAnswer(
  { call, form }: Pick<StripeRequest, 'call' | 'form'>,
  setups: StripeSetups,
  accounts: ReadonlyMap<string, string | undefined>,
): ChallengeAnswer | undefined {
  const [, method, id = ''] = /^(GET|POST) \/challenge\/((?:pi|seti)_\d+)$/.exec(call) ?? []
  if (method === undefined) return undefined
  const { next_action: action, client_secret: secret } = setups.awaited(id)
  // Stripe's script finds an intent only in the account that made it.
  if (action?.type === 'use_stripe_sdk' && form.get('account') !== accounts.get(id))
    return { status: 404, headers: HTML, text: `No such intent: ${id}` }
  if (method === 'GET') return { status: 200, headers: HTML, text: action ? CHALLENGE : 'It is over.' }
  const passes = form.get('answer') === 'complete'
  if (action?.type === 'use_stripe_sdk') {
    setups.authenticate(id, passes)
    return {
      status: 200,
      headers: HTML,
      text: telling({ clientSecret: secret, result: passes ? { paymentIntent: { id } } : REFUSED }),
    }
  }
  const back = action?.type === 'redirect_to_url' ? action.redirect_to_url.return_url : undefined
  if (back === undefined) return { status: 400, headers: HTML, text: 'It is over.' }
  setups.authenticate(id, passes)
  const onward = new URL(back)
  const kind = id.startsWith('seti_') ? 'setup_intent' : 'payment_intent'
  onward.searchParams.set(kind, id)
  onward.searchParams.set(`${kind}_client_secret`, secret)
  return { status: 303, headers: { location: onward.href }, text: '' }
}

const HTML = { 'content-type': 'text/html; charset=utf-8' }

const REFUSED = {
  error: { type: 'invalid_request_error', code: 'payment_intent_authentication_failure' },
}

/** A page that posts a message to the window that contains it. */
function telling(message: object): string {
  return `<!doctype html><title>Your bank</title><script>parent.postMessage(${JSON.stringify(message)}, '*')</script>`
}

const CHALLENGE = `<!doctype html><title>Your bank</title><form method="post">
<button name="answer" value="complete">Complete</button>
<button name="answer" value="fail">Fail</button></form>`
