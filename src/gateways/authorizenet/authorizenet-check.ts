import type { RailClient } from '../../platform/network/rail-client.js'
import type { Input } from '../../schema/types.js'
import type { Credentials, Rail } from '../contract.js'
import { checkEndpoint } from '../endpoint-check.js'
import type { GatewayCheck } from '../gateway-check.js'
import { type AuthorizeNetApi, type AuthorizeNetReply, listedTexts, textIn } from './authorizenet-api.js'
import { authorizeNetEndpoints } from './authorizenet-endpoints.js'

/** Query of the list in which outcomes are found. One entry is enough for the check. */
const UNSETTLED = { status: 'any', paging: { limit: '1', offset: '1' } }
const DETAILS_OFF =
  'Switch the Transaction Details API on in the Merchant Interface: Account, Settings, Security Settings, General Security Settings'

/** Checks that payments, queries and notifications will work, by calls that move no money. */
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
    // Reading a notification's transaction needs the same permission as this list.
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

/** Authorize.Net's names of card brands, in lower case. */
const CARDS: ReadonlySet<string> = new Set([
  'visa',
  'mastercard',
  'americanexpress',
  'discover',
  'jcb',
  'dinersclub',
])

/** Checks whether the list can be read in which payments without an answer are found. */
async function checkUnsettled(api: AuthorizeNetApi, credentials: Credentials): Promise<GatewayCheck> {
  const name = 'unsettled list'
  const reply = await tried(api.call('getUnsettledTransactionListRequest', UNSETTLED, credentials))
  if (typeof reply !== 'string' && reply.result === 'answered')
    return { name, state: 'ok', found: 'It can be read: payments without an answer are found in it' }
  const problem = typeof reply === 'string' ? reply : problemIn(reply)
  return { name, state: 'failed', found: /E00011/.test(problem) ? `${problem} ${DETAILS_OFF}` : problem }
}

/** Checks whether customer profiles, which store methods, are switched on. The queried profile need not exist. */
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

/** Checks whether the account has the public key with which pages send card numbers to Authorize.Net. */
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

/** The reply, or the message of the error if there is no usable reply. */
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
