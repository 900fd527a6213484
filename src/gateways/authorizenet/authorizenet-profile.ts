import { type Input, isTree } from '../../schema/types.js'
import type { Credentials } from '../contract.js'
import type { GivenToken, MethodDescription } from '../payer-fields.js'
import { RefusedReading, Unanswered, UnknownOutcome } from '../unknown-outcome.js'
import { type AuthorizeNetApi, listedTexts, textIn } from './authorizenet-api.js'
import { brandOf, nonceIn } from './authorizenet-fields.js'

/** Error code for a record that does not exist. */
const NOT_FOUND = 'E00040'

/** Form of the token of a stored profile: `customerProfileId/paymentProfileId`. */
const PROFILE = /^\d{1,30}\/\d{1,30}$/

/**
 * Describes the method of a token before the first charge. Undefined for an unknown token, a token of another kind, or
 * a token that the sender may not use: pages may not use stored profiles. The description of a nonce is empty, because
 * a nonce cannot be looked up.
 */
export async function describeToken(
  api: AuthorizeNetApi,
  { token, type, isFromPage }: GivenToken,
  credentials: Credentials,
): Promise<MethodDescription | undefined> {
  if (nonceIn(token)) return type === 'bank_account' && isFromPage ? undefined : {}
  if (isFromPage || !PROFILE.test(token)) return undefined
  const [customerProfileId, customerPaymentProfileId] = token.split('/')
  const query = { customerProfileId, customerPaymentProfileId, unmaskExpirationDate: true }
  const reply = await api.call('getCustomerPaymentProfileRequest', query, credentials)
  if (reply.result === 'declined' && reply.code === NOT_FOUND) return undefined
  if (reply.result === 'misconfigured') throw new RefusedReading(reply)
  if (reply.result === 'not_sent') throw new Unanswered(reply.problem)
  if (reply.result === 'declined') throw new UnknownOutcome(`The profile is not read: ${reply.code}`)
  const { paymentProfile } = reply.body
  const payment = isTree(paymentProfile) && isTree(paymentProfile.payment) ? paymentProfile.payment : {}
  const isBank = isTree(payment.bankAccount)
  return type !== undefined && isBank !== (type === 'bank_account') ? undefined : describedPayment(payment)
}

/**
 * Describes the method of a stored profile. Empty if it cannot be read: the description is not essential, as the method
 * is stored already.
 */
export async function describeStored(
  api: AuthorizeNetApi,
  token: string,
  credentials: Credentials,
): Promise<MethodDescription> {
  try {
    return (await describeToken(api, { token, type: undefined, isFromPage: false }, credentials)) ?? {}
  } catch {
    return {}
  }
}

/** Token of the profile that an answer names; undefined if it names none. */
export function profileToken(named: unknown): string | undefined {
  if (!isTree(named)) return undefined
  const customer = textIn(named, 'customerProfileId')
  const [listed] = listedTexts(named.customerPaymentProfileIdList, 'numericString')
  const payment = textIn(named, 'customerPaymentProfileId') ?? listed
  return customer === undefined || payment === undefined ? undefined : `${customer}/${payment}`
}

/** Field `token` of an outcome, with the token of the profile that an answer names; empty if it names none. */
export function tokenIn(named: unknown): { readonly token?: string } {
  const token = profileToken(named)
  return token === undefined ? {} : { token }
}

/** Description of a profile's method. Authorize.Net answers a masked number, and the expiry as `2039-12`. */
function describedPayment({ creditCard, bankAccount }: Input): MethodDescription {
  if (isTree(bankAccount)) return lastFourIn(bankAccount.accountNumber)
  if (!isTree(creditCard)) return {}
  const [, year, month] = /^\d\d(\d\d)-(\d\d)$/.exec(textIn(creditCard, 'expirationDate') ?? '') ?? []
  const brand = brandOf(textIn(creditCard, 'cardType'))
  return {
    ...lastFourIn(creditCard.cardNumber),
    ...(brand !== undefined && { brand }),
    ...(year !== undefined && { expiry: `${month}/${year}` }),
  }
}

function lastFourIn(masked: unknown): MethodDescription {
  const lastFour = typeof masked === 'string' ? /(\d{4})$/.exec(masked)?.[1] : undefined
  return lastFour === undefined ? {} : { lastFour }
}
