import type { RailClient } from '../../platform/network/rail-client.js'
import type { Input } from '../../schema/types.js'
import type { Credentials, Rail } from '../contract.js'
import { checkEndpoint } from '../endpoint-check.js'
import type { GatewayCheck } from '../gateway-check.js'
import { type AuthorizeNetApi, type AuthorizeNetReply, listedTexts, textIn } from './authorizenet-api.js'
import { authorizeNetEndpoints } from './authorizenet-endpoints.js'

/** The list of transactions by which outcomes are found; one of them is enough. */
const UNSETTLED = { status: 'any', paging: { limit: '1', offset: '1' } }
const DETAILS_OFF =
  'Switch the Transaction Details API on in the Merchant Interface: Account, Settings, Security Settings, General Security Settings'

/** Checks what payments, queries and notifications need, by calls that move no money. */
export function authorizeNetCheck(api: AuthorizeNetApi, http: RailClient): NonNullable<Rail['check']> {
  const endpoints = authorizeNetEndpoints(http)
  return async (gateway, credentials) => {
    const details = await api.call('getMerchantDetailsRequest', {}, credentials)
    if (details.result !== 'answered')
      return [{ name: 'account', state: 'failed', found: problemIn(details) }]
    const unsettled = await checkUnsettled(api, credentials)
    const found = [
      ...accountChecks(details.body),
      unsettled,
      await checkProfiles(api, credentials),
      clientKey(details.body),
    ]
    // What a notification is about is read by the same permission.
    return unsettled.state === 'failed'
      ? found
      : [...found, ...(await checkNotifications(gateway, credentials))]
  }

  async function checkNotifications(
    gateway: Parameters<NonNullable<Rail['check']>>[0],
    credentials: Credentials,
  ): Promise<readonly GatewayCheck[]> {
    const hasKey = credentials.secrets['signature_key'] !== undefined
    const signature: GatewayCheck = hasKey
      ? { name: 'signature key', state: 'ok', found: 'It is kept: notifications are verified by it' }
      : {
          name: 'signature key',
          state: 'unavailable',
          found: 'None is kept, so that no notification is believed: gateways update --signature-key-file',
        }
    return [signature, await checkEndpoint(gateway, true, () => endpoints.list(credentials))]
  }
}

function accountChecks(body: Input): readonly GatewayCheck[] {
  const name = textIn(body, 'merchantName') ?? textIn(body, 'gatewayId') ?? 'an account without a name'
  const isTest = String(body.isTestMode) === 'true'
  const methods = listedTexts(body.paymentMethods, 'paymentMethod').map((method) => method.toLowerCase())
  const cards = methods.filter((method) => CARDS.has(method))
  const known = methods.length > 0
  return [
    { name: 'account', state: 'ok', found: name },
    isTest
      ? { name: 'charges', state: 'failed', found: 'It is in test mode: it charges nobody' }
      : { name: 'charges', state: 'ok', found: 'It charges payers' },
    {
      name: 'cards',
      state: cards.length > 0 || !known ? 'ok' : 'unavailable',
      found: known
        ? `It takes ${cards.length > 0 ? cards.join(', ') : 'no cards'}`
        : 'It does not say which cards it takes',
    },
    {
      name: 'bank accounts',
      state: methods.includes('echeck') ? 'ok' : 'unavailable',
      found: methods.includes('echeck') ? 'It takes eCheck' : 'eCheck is not on for this account',
    },
  ]
}

/** Brands of cards among the kinds of method, in lower case. */
const CARDS: ReadonlySet<string> = new Set([
  'visa',
  'mastercard',
  'americanexpress',
  'discover',
  'jcb',
  'dinersclub',
])

/** Whether the list can be read by which a payment without an answer is found. */
async function checkUnsettled(api: AuthorizeNetApi, credentials: Credentials): Promise<GatewayCheck> {
  const name = 'unsettled list'
  const reply = await tried(api.call('getUnsettledTransactionListRequest', UNSETTLED, credentials))
  if (typeof reply !== 'string' && reply.result === 'answered')
    return { name, state: 'ok', found: 'It can be read: payments without an answer are found in it' }
  const problem = typeof reply === 'string' ? reply : problemIn(reply)
  return { name, state: 'failed', found: /E00011/.test(problem) ? `${problem} ${DETAILS_OFF}` : problem }
}

/** Whether customer profiles are on, in which methods are kept. The profile of the query need not exist. */
async function checkProfiles(api: AuthorizeNetApi, credentials: Credentials): Promise<GatewayCheck> {
  const name = 'customer profiles'
  const reply = await tried(api.call('getCustomerProfileRequest', { customerProfileId: '1' }, credentials))
  const isOn =
    typeof reply !== 'string' && (reply.result === 'answered' || problemIn(reply).includes('E00040'))
  return isOn
    ? { name, state: 'ok', found: 'They are on: methods can be kept' }
    : {
        name,
        state: 'unavailable',
        found: `Methods cannot be kept: ${typeof reply === 'string' ? reply : problemIn(reply)}`,
      }
}

/** The key with which a page of the account's shop may send card numbers to Authorize.Net. */
function clientKey(body: Input): GatewayCheck {
  const name = 'client key'
  return textIn(body, 'publicClientKey') === undefined
    ? {
        name,
        state: 'unavailable',
        found: 'It has none: make one in the Merchant Interface, API Credentials & Keys',
      }
    : { name, state: 'ok', found: "Pages may use the gateway's own card fields" }
}

/** A reply, or the reason why there is none that is understood. */
async function tried(call: Promise<AuthorizeNetReply>): Promise<AuthorizeNetReply | string> {
  try {
    return await call
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function problemIn(
  reply: Exclude<AuthorizeNetReply, { result: 'answered' }> | { result: 'answered' },
): string {
  switch (reply.result) {
    case 'answered':
      return 'It answers'
    case 'declined':
      return `It is refused: ${reply.code}`
    default:
      return reply.problem
  }
}
