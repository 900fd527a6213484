import { isTree } from '../../schema/types.js'
import type { Credentials, FoundOutcome, GatewayOutcome } from '../contract.js'
import type { StoreOperation } from '../payer-action.js'
import { UnknownOutcome } from '../unknown-outcome.js'
import { type AuthorizeNetApi, textIn, treesIn } from './authorizenet-api.js'
import { billToFields, methodFields, plain } from './authorizenet-request.js'

/** The record cannot be found. */
const NOT_FOUND = 'E00040'
/** Longest `merchantCustomerId`, by which a profile is found again. */
const MAX_CUSTOMER = 20

/**
 * Stores a method as a customer profile of its own, from a number or from the nonce of a page. A card is validated at its
 * bank; the token is that of both profiles.
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
    refId: customerOf(reference),
    profile: {
      merchantCustomerId: customerOf(reference),
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
  const { body } = reply
  const [paymentProfile] = textsIn(body.customerPaymentProfileIdList, 'numericString')
  return approved(textIn(body, 'customerProfileId'), paymentProfile)
}

/** Finds the profile of a method by our reference. */
export async function findProfile(
  api: AuthorizeNetApi,
  { reference }: StoreOperation,
  credentials: Credentials,
): Promise<FoundOutcome> {
  const query = { merchantCustomerId: customerOf(reference) }
  const reply = await api.call('getCustomerProfileRequest', query, credentials)
  if (reply.result === 'declined' && reply.code === NOT_FOUND) return 'never_seen'
  if (reply.result !== 'answered') return 'cannot_say'
  const profile = isTree(reply.body.profile) ? reply.body.profile : {}
  if (profile.merchantCustomerId !== customerOf(reference)) return 'cannot_say'
  const [first] = treesIn(profile.paymentProfiles, 'paymentProfile')
  return approved(textIn(profile, 'customerProfileId'), textIn(first, 'customerPaymentProfileId'))
}

function approved(customer: string | undefined, payment: string | undefined) {
  if (customer === undefined || payment === undefined)
    throw new UnknownOutcome('The answer has no profile of a payment method')
  return { result: 'approved', gatewayId: payment, amount: 0, token: `${customer}/${payment}` } as const
}

/** The end of our reference, which differs for each. */
function customerOf(reference: string): string {
  return reference.slice(-MAX_CUSTOMER)
}

/** The texts of a list, which is an array, or an object with the array under a name. */
function textsIn(value: unknown, name: string): readonly string[] {
  const list: unknown = isTree(value) ? value[name] : value
  const all: readonly unknown[] = Array.isArray(list) ? list : [list]
  return all.filter((each) => typeof each === 'string' || typeof each === 'number').map(String)
}
