import { formatMoney } from '../../schema/money.js'
import { type Input, isTree } from '../../schema/types.js'
import type { GatewayMethod, GatewayOperation } from '../contract.js'
import { nonceIn } from './authorizenet-fields.js'

/** Seconds for which the gateway refuses repeated contents. It is the longest time that the gateway allows. */
const DUPLICATE_WINDOW = 28_800

/** Maximal length of `merchantCustomerId`, by which a profile is searched. */
const MAX_CUSTOMER = 20

/**
 * Authorize.Net's type of transaction, by our type of operation. A refund without a payment (credit) has the same type
 * as a refund.
 */
const TYPES: Readonly<Record<GatewayOperation['type'], string>> = {
  sale: 'authCaptureTransaction',
  authorize: 'authOnlyTransaction',
  capture: 'priorAuthCaptureTransaction',
  void: 'voidTransaction',
  refund: 'refundTransaction',
  credit: 'refundTransaction',
}

/** The parent of an operation, as the gateway needs it. */
export interface AuthorizeNetParent {
  readonly id: string
  /** The masked method, as the gateway reports it. */
  readonly payment?: Input
}

/**
 * Fields of a `createTransactionRequest`, without the credentials. Their order is that of Authorize.Net's reference:
 * the endpoint converts JSON to XML, and refuses another order.
 */
export function transactionFields(operation: GatewayOperation, parent?: AuthorizeNetParent): Input {
  const { type, amount, refNumber, reference } = operation
  const head = { transactionType: TYPES[type] }
  return {
    refId: (refNumber ?? reference).slice(0, 20),
    transactionRequest:
      type === 'void' || type === 'capture'
        ? {
            ...head,
            ...optional({
              amount: type === 'capture' ? formatMoney(amount) : undefined,
              refTransId: parent?.id,
            }),
          }
        : optional({
            ...head,
            amount: formatMoney(amount),
            ...(parent ? { payment: maskedPayment(parent.payment) } : methodFields(operation)),
            ...(isToBeStored(operation) && { profile: { createProfile: true } }),
            refTransId: parent?.id,
            order: orderOf(operation),
            ...costsOf(operation),
            customer: isToBeStored(operation) ? { id: profileCustomer(reference) } : undefined,
            billTo: parent ? undefined : billToFields(operation.method),
            transactionSettings: { setting: settingsOf(operation) },
            ...(parent ? {} : initiationOf(operation)),
          }),
  }
}

/**
 * Whether a payment also stores its method as a profile. True if the payer keeps the method and has typed it into the
 * processor's fields: the nonce of these fields can be charged only once.
 */
export function isToBeStored({ type, method }: Pick<GatewayOperation, 'type' | 'method'>): boolean {
  if (!method || method.isKept === false || (type !== 'sale' && type !== 'authorize')) return false
  return method.token !== undefined && nonceIn(method.token) !== undefined
}

/** Customer id of a profile: the last 20 characters of our reference, which are unique. */
export function profileCustomer(reference: string): string {
  return reference.slice(-MAX_CUSTOMER)
}

/** Fields of an operation's method: the nonce of a page, a stored profile, or the number. */
export function methodFields(operation: Pick<GatewayOperation, 'method' | 'initiator'>): Input {
  const { method } = operation
  if (!method) return {}
  const nonce = method.token === undefined ? undefined : nonceIn(method.token)
  if (nonce) return { payment: { opaqueData: nonce } }
  if (method.token !== undefined) {
    const [customerProfileId, paymentProfileId] = method.token.split('/')
    const paymentProfile = optional({ paymentProfileId, cardCode: method.cardCode })
    return { profile: optional({ customerProfileId, paymentProfile }) }
  }
  if (method.type === 'card') {
    const { number: cardNumber, expiry = '', cardCode } = method
    const [month, year] = expiry.split('/')
    return {
      payment: { creditCard: optional({ cardNumber, expirationDate: `20${year}-${month}`, cardCode }) },
    }
  }
  const isBusiness = method.accountClass === 'business'
  const checking = isBusiness ? 'businessChecking' : 'checking'
  const bankAccount = {
    accountType: method.accountType === 'savings' ? 'savings' : checking,
    routingNumber: method.routing ?? '',
    accountNumber: method.number,
    nameOnAccount: plain(method.holder ?? '', 22),
    echeckType: echeckType(isBusiness, operation.initiator),
  }
  return { payment: { bankAccount } }
}

/**
 * Type of a bank payment: `CCD` for business accounts. For personal accounts, `WEB` if the payer starts the payment,
 * `PPD` if the payer has consented to it before.
 */
function echeckType(isBusiness: boolean, initiator: GatewayOperation['initiator'] = 'payer'): string {
  if (isBusiness) return 'CCD'
  return initiator === 'payer' ? 'WEB' : 'PPD'
}

/** Fields of a refund's method. Its last four digits are enough, because the refund names its payment. */
function maskedPayment(payment: Input | undefined): Input | undefined {
  const { creditCard, bankAccount } = payment ?? {}
  if (isTree(creditCard)) {
    const { cardNumber } = creditCard
    return { creditCard: { cardNumber: String(cardNumber).slice(-4), expirationDate: 'XXXX' } }
  }
  if (!isTree(bankAccount)) return undefined
  const { accountType, routingNumber, accountNumber, nameOnAccount } = bankAccount
  return { bankAccount: optional({ accountType, routingNumber, accountNumber, nameOnAccount }) }
}

/**
 * Fields of the order. The description contains the merchant's order number and our reference, which identifies the
 * transaction later.
 */
function orderOf({ refNumber, orderNumber, description, reference }: GatewayOperation): Input {
  const order = plain([orderNumber, description].filter(Boolean).join(' '), 255 - reference.length - 5)
  return optional({
    invoiceNumber: refNumber?.slice(0, 20),
    description: `${order} ref:${reference}`.trim(),
  })
}

function costsOf({ order }: GatewayOperation): Input {
  const cost = (minor: number | undefined) =>
    minor === undefined ? undefined : { amount: formatMoney(minor) }
  return { tax: cost(order?.tax), duty: cost(order?.duty), shipping: cost(order?.shipping) }
}

/** Fields of the payer's name and address; undefined for a stored profile, which has its own. */
export function billToFields(method: GatewayMethod | undefined): Input | undefined {
  if (!method || (method.token !== undefined && !nonceIn(method.token))) return undefined
  const words = plain(method.holder ?? '', 100).split(' ')
  const lastName = words.pop()
  const firstName = words.join(' ')
  return optional({
    firstName: cut(firstName, 50),
    lastName: cut(lastName, 50),
    address: cut(method.street, 60),
    city: cut(method.city, 40),
    state: cut(method.state, 40),
    zip: cut(method.postalCode, 20),
    country: cut(method.country, 60),
  })
}

function settingsOf({ initiator }: GatewayOperation): readonly Input[] {
  return [
    { settingName: 'allowPartialAuth', settingValue: 'false' },
    { settingName: 'duplicateWindow', settingValue: String(DUPLICATE_WINDOW) },
    ...(initiator === 'consent' ? [{ settingName: 'recurringBilling', settingValue: 'true' }] : []),
  ]
}

/**
 * Indicators that card networks require for stored cards. They distinguish three cases: a payer's payment that stores
 * the card, a payer's payment with a stored card, and a payment that the merchant starts. In the third case the request
 * names the first payment. Authorize.Net's `reason` is never set: it is for resubmissions, delayed charges,
 * reauthorizations and no-shows.
 */
function initiationOf({ initiator = 'payer', method }: GatewayOperation): Input {
  if (method?.type !== 'card') return {}
  const { networkId: originalNetworkTransId, networkAmount } = method
  if (initiator === 'payer') {
    const isNonce = method.token !== undefined && nonceIn(method.token) !== undefined
    if (method.isStored || (method.token !== undefined && !isNonce))
      return { processingOptions: { isStoredCredentials: 'true' } }
    return method.isKept === false ? {} : { processingOptions: { isFirstSubsequentAuth: 'true' } }
  }
  const originalAuthAmount = networkAmount === undefined ? undefined : formatMoney(networkAmount)
  return optional({
    processingOptions: { isSubsequentAuth: 'true' },
    subsequentAuthInformation: originalNetworkTransId
      ? optional({ originalNetworkTransId, originalAuthAmount })
      : undefined,
  })
}

function cut(text: string | undefined, length: number): string | undefined {
  return text ? plain(text, length) : undefined
}

/**
 * Text without the characters that XML reserves, shortened to `length`. The endpoint converts JSON to XML, and refuses
 * these characters.
 */
export function plain(text: string, length: number): string {
  return text.replace(/[<>&]/g, ' ').replace(/\s+/g, ' ').trim().slice(0, length)
}

function optional(values: Input): Input {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== ''))
}
