import { isTree } from '../../schema/types.js'
import type { Credentials, FoundOutcome, GatewayOutcome } from '../contract.js'
import type { StoreOperation } from '../payer-action.js'
import { UnknownOutcome } from '../unknown-outcome.js'
import { type AuthorizeNetApi, treesIn } from './authorizenet-api.js'
import { describeStored, profileToken } from './authorizenet-profile.js'
import { billToFields, methodFields, plain, profileCustomer } from './authorizenet-request.js'

/** Error code for a record that does not exist. */
const NOT_FOUND = 'E00040'

/**
 * Stores a method in a new customer profile, from a number or from the nonce of a page. The bank validates a card. The
 * token is `customerProfileId/paymentProfileId`.
 */
export async function storeProfile(
  api: AuthorizeNetApi,
  operation: StoreOperation,
  credentials: Credentials,
): Promise<GatewayOutcome> {
  const { reference, method } = operation
  if (!method) throw new UnknownOutcome(`${reference} has no payment method`)
  const billTo = billToFields(method)
  const fields = {
    refId: profileCustomer(reference),
    profile: {
      merchantCustomerId: profileCustomer(reference),
      description: plain(`ref:${reference}`, 255),
      paymentProfiles: {
        customerType: method.accountClass === 'business' ? 'business' : 'individual',
        ...(billTo && Object.keys(billTo).length > 0 && { billTo }),
        ...methodFields({ method }),
      },
    },
    validationMode: method.type === 'card' ? 'liveMode' : 'none',
  }
  const reply = await api.call('createCustomerProfileRequest', fields, credentials)
  if (reply.result !== 'answered') return reply
  const stored = approved(profileToken(reply.body))
  // payctl can describe a method by its number, so only a nonce's method is read back.
  if (method.token === undefined) return stored
  return { ...stored, method: await describeStored(api, stored.token, credentials) }
}

/** Finds a stored method by the end of our reference. */
export async function findProfile(
  api: AuthorizeNetApi,
  { reference }: StoreOperation,
  credentials: Credentials,
): Promise<FoundOutcome> {
  const query = { merchantCustomerId: profileCustomer(reference) }
  const reply = await api.call('getCustomerProfileRequest', query, credentials)
  if (reply.result === 'declined' && reply.code === NOT_FOUND) return 'never_seen'
  if (reply.result !== 'answered') return 'cannot_say'
  const profile = isTree(reply.body.profile) ? reply.body.profile : {}
  if (profile.merchantCustomerId !== profileCustomer(reference)) return 'cannot_say'
  const [first] = treesIn(profile.paymentProfiles, 'paymentProfile')
  const { customerProfileId } = profile
  return approved(profileToken({ ...first, customerProfileId }))
}

function approved(token: string | undefined) {
  if (token === undefined) throw new UnknownOutcome('The answer has no profile of a payment method')
  const [, gatewayId = ''] = token.split('/')
  return { result: 'approved', gatewayId, amount: 0, token } as const
}
