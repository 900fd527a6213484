import type { StripeBooks } from './stripe-books.js'
import type { StripeRequest } from './stripe-server.js'

interface ChallengeAnswer {
  readonly status: number
  readonly headers: Record<string, string>
  readonly text: string
}

/**
 * The page of the payer's bank, at which the payer authenticates or refuses, and the way back to the merchant. Undefined
 * for a request to any other address.
 */
export function challengeAnswer(
  { call, form }: Pick<StripeRequest, 'call' | 'form'>,
  books: StripeBooks,
): ChallengeAnswer | undefined {
  const [, method, id = ''] = /^(GET|POST) \/challenge\/(pi_\d+)$/.exec(call) ?? []
  if (method === undefined) return undefined
  const { next_action: action, client_secret: secret } = books.intent(id)
  if (method === 'GET') return { status: 200, headers: HTML, text: action ? CHALLENGE : 'It is over.' }
  const back = action?.type === 'redirect_to_url' ? action.redirect_to_url.return_url : undefined
  if (back === undefined) return { status: 400, headers: HTML, text: 'It is over.' }
  books.authenticate(id, form.get('answer') === 'complete')
  const address = new URL(back)
  address.searchParams.set('payment_intent', id)
  address.searchParams.set('payment_intent_client_secret', secret)
  return { status: 303, headers: { location: address.href }, text: '' }
}

const HTML = { 'content-type': 'text/html; charset=utf-8' }

const CHALLENGE = `<!doctype html><title>Your bank</title><form method="post">
<button name="answer" value="complete">Complete</button>
<button name="answer" value="fail">Fail</button></form>`
