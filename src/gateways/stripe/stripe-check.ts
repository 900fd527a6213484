import { Stripe } from 'stripe'
import type { Credentials, Rail } from '../contract.js'
import { checkEndpoint } from '../endpoint-check.js'
import type { CheckedGateway, GatewayCheck } from '../gateway-check.js'
import { shortProblem } from '../short-problem.js'
import { stripeEndpoints } from './stripe-endpoints.js'
import { preparationRefusal } from './stripe-failure.js'

type State = GatewayCheck['state']

/** Test card of Stripe's documentation. A payment method is created with it and never charged. */
const SAMPLE_CARD = { number: '4242424242424242', exp_month: 12, exp_year: 2049 }

/** Checks that payments, queries and notifications will work, by calls that move no money. */
export function stripeCheck(clientOf: (credentials: Credentials) => Stripe): NonNullable<Rail['check']> {
  const endpoints = stripeEndpoints(clientOf)
  return async (gateway, credentials) => {
    const stripe = clientOf(credentials)
    let account: Stripe.Account
    try {
      account = await stripe.accounts.retrieveCurrent()
    } catch (error) {
      const refusal = preparationRefusal(error)
      const found = refusal.result === 'declined' ? (refusal.code ?? refusal.statusCode) : refusal.problem
      return [{ name: 'account', state: 'failed', found }]
    }
    return [
      ...accountChecks(account),
      await checkNumbers(stripe, gateway),
      fieldsCheck(credentials),
      await checkQueries(stripe),
      await checkEndpoint(gateway, credentials.secrets['notification_secret'] !== undefined, () =>
        endpoints.list(credentials),
      ),
    ]
  }
}

function accountChecks(account: Stripe.Account): readonly GatewayCheck[] {
  const { id, country, charges_enabled: takes, payouts_enabled: paysOut, capabilities = {} } = account
  const reason = account.requirements?.disabled_reason
  const because = reason ? ` (${reason})` : ''
  return [
    { name: 'account', state: 'ok', found: `${id} in ${country ?? 'an unknown country'}` },
    takes
      ? { name: 'charges', state: 'ok', found: 'It takes payments' }
      : {
          name: 'charges',
          state: 'failed',
          found: `It may not take payments yet${because}: see the requirements in Stripe's dashboard`,
        },
    // Some versions of Stripe's API omit `payouts_enabled`, although the library's types require it.
    ...(paysOut === false
      ? [{ name: 'payouts', state: 'unavailable', found: `Nothing is paid out yet${because}` } as const]
      : []),
    {
      name: 'cards',
      found: capabilityWords('card payments', capabilities.card_payments),
      state: stateOf(capabilities.card_payments ?? 'active'),
    },
    {
      name: 'bank accounts',
      found: capabilityWords('ACH Direct Debit', capabilities.us_bank_account_ach_payments),
      state: stateOf(capabilities.us_bank_account_ach_payments),
    },
  ]
}

function stateOf(capability: string | undefined): State {
  return capability === 'active' ? 'ok' : 'unavailable'
}

/**
 * Text for people about a capability. An account without a platform may have capabilities that Stripe does not list.
 */
function capabilityWords(name: string, capability: string | undefined): string {
  if (capability === undefined) return `Stripe does not say whether ${name} are on: see its dashboard`
  return capability === 'active' ? `It takes ${name}` : `${name} are ${capability}: see Stripe's dashboard`
}

/**
 * Checks whether the account may send card numbers. In live mode Stripe declines the test card; such a decline proves
 * that numbers are accepted.
 */
async function checkNumbers(stripe: Stripe, { takesNumbers }: CheckedGateway): Promise<GatewayCheck> {
  const check = { name: 'card numbers', scope: 'card_number' } as const
  const method = { type: 'card', number: SAMPLE_CARD.number } as const
  try {
    await stripe.paymentMethods.create({ type: 'card', card: SAMPLE_CARD })
  } catch (error) {
    const refusal = preparationRefusal(error, method)
    if (refusal.result === 'misconfigured')
      return {
        ...check,
        // Payers could not pay on pages with payctl's own number fields.
        state: takesNumbers ? 'failed' : 'unavailable',
        found: `It takes no typed card numbers, only tokens: ${refusal.problem}`,
      }
    if (refusal.result === 'not_sent')
      return { ...check, state: 'unavailable', found: `Not known: ${refusal.problem}` }
  }
  return { ...check, state: 'ok', found: 'It takes typed card numbers' }
}

/** Checks whether pages can show Stripe's own card fields. */
function fieldsCheck({ secrets }: Credentials): GatewayCheck {
  const name = 'card fields'
  return secrets['publishable_key'] === undefined
    ? {
        name,
        state: 'unavailable',
        found: "Pages cannot show Stripe's card fields: gateways update --publishable-key pk_…",
      }
    : { name, state: 'ok', found: "Pages show Stripe's card fields" }
}

/**
 * Checks whether the key, which may be a restricted one, may read the lists that show outcomes, disputes and payouts.
 */
async function checkQueries(stripe: Stripe): Promise<GatewayCheck> {
  const name = 'queries'
  const first = { limit: 1 }
  const queries = {
    'payment intents': () => stripe.paymentIntents.list(first),
    refunds: () => stripe.refunds.list(first),
    disputes: () => stripe.disputes.list(first),
    payouts: () => stripe.payouts.list(first),
    'balance transactions': () => stripe.balanceTransactions.list(first),
    events: () => stripe.events.list(first),
  }
  const refused: string[] = []
  for (const [what, query] of Object.entries(queries)) if (await isRefused(query)) refused.push(what)
  if (refused.length === 0) return { name, state: 'ok', found: 'The key may read what outcomes are found by' }
  return {
    name,
    state: 'failed',
    found: shortProblem(`The key may not read ${refused.join(', ')}: give it that in Stripe's dashboard`),
  }
}

async function isRefused(query: () => PromiseLike<unknown>): Promise<boolean> {
  try {
    await query()
    return false
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error
    return error.statusCode === 401 || error.statusCode === 403
  }
}
