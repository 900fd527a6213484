import { type Input, isTree } from '../../../src/schema/types.js'

/** The order of fields in `AnetApiSchema.xsd`, taken from the official packages. */
const ORDER: Readonly<Record<string, readonly string[]>> = {
  createTransactionRequest: ['merchantAuthentication', 'clientId', 'refId', 'transactionRequest'],
  getTransactionDetailsRequest: ['merchantAuthentication', 'clientId', 'refId', 'transId'],
  getUnsettledTransactionListRequest: [
    'merchantAuthentication',
    'clientId',
    'refId',
    'status',
    'sorting',
    'paging',
  ],
  getTransactionListRequest: ['merchantAuthentication', 'clientId', 'refId', 'batchId', 'sorting', 'paging'],
  getSettledBatchListRequest: [
    'merchantAuthentication',
    'clientId',
    'refId',
    'includeStatistics',
    'firstSettlementDate',
    'lastSettlementDate',
  ],
  getMerchantDetailsRequest: ['merchantAuthentication', 'clientId', 'refId'],
  createCustomerProfileRequest: ['merchantAuthentication', 'clientId', 'refId', 'profile', 'validationMode'],
  getCustomerProfileRequest: [
    'merchantAuthentication',
    'clientId',
    'refId',
    'customerProfileId',
    'merchantCustomerId',
    'email',
    'unmaskExpirationDate',
    'includeIssuerInfo',
  ],
  getCustomerPaymentProfileRequest: [
    'merchantAuthentication',
    'clientId',
    'refId',
    'customerProfileId',
    'customerPaymentProfileId',
    'unmaskExpirationDate',
    'includeIssuerInfo',
  ],
  customer: ['type', 'id', 'email', 'driversLicense', 'taxId'],
  paymentProfiles: ['customerType', 'billTo', 'payment', 'driversLicense', 'taxId', 'defaultPaymentProfile'],
  opaqueData: ['dataDescriptor', 'dataValue', 'dataKey', 'expirationTimeStamp'],
  merchantAuthentication: ['name', 'transactionKey'],
  transactionRequest: [
    'transactionType',
    'amount',
    'currencyCode',
    'payment',
    'profile',
    'solution',
    'callId',
    'terminalNumber',
    'authCode',
    'refTransId',
    'splitTenderId',
    'order',
    'lineItems',
    'tax',
    'duty',
    'shipping',
    'taxExempt',
    'poNumber',
    'customer',
    'billTo',
    'shipTo',
    'customerIP',
    'cardholderAuthentication',
    'retail',
    'employeeId',
    'transactionSettings',
    'userFields',
    'surcharge',
    'merchantDescriptor',
    'subMerchant',
    'tip',
    'processingOptions',
    'subsequentAuthInformation',
    'otherTax',
    'shipFrom',
    'authorizationIndicatorType',
  ],
  creditCard: ['cardNumber', 'expirationDate', 'cardCode', 'isPaymentToken', 'cryptogram'],
  bankAccount: [
    'accountType',
    'routingNumber',
    'accountNumber',
    'nameOnAccount',
    'echeckType',
    'bankName',
    'checkNumber',
  ],
  // Fields of a profile in a payment, and in a request that creates a profile.
  profile: [
    'createProfile',
    'customerProfileId',
    'paymentProfile',
    'shippingProfileId',
    'merchantCustomerId',
    'description',
    'email',
    'paymentProfiles',
    'shipToList',
    'profileType',
  ],
  paymentProfile: ['paymentProfileId', 'cardCode'],
  order: ['invoiceNumber', 'description', 'discountAmount'],
  tax: ['amount', 'name', 'description'],
  duty: ['amount', 'name', 'description'],
  shipping: ['amount', 'name', 'description'],
  billTo: [
    'firstName',
    'lastName',
    'company',
    'address',
    'city',
    'state',
    'zip',
    'country',
    'phoneNumber',
    'faxNumber',
    'email',
  ],
  setting: ['settingName', 'settingValue'],
  processingOptions: [
    'isFirstRecurringPayment',
    'isFirstSubsequentAuth',
    'isSubsequentAuth',
    'isStoredCredentials',
  ],
  subsequentAuthInformation: ['originalNetworkTransId', 'originalAuthAmount', 'reason'],
  sorting: ['orderBy', 'orderDescending'],
  paging: ['limit', 'offset'],
}

/** Maximal lengths of texts, in characters. */
const LENGTHS: Readonly<Record<string, number>> = {
  refId: 20,
  invoiceNumber: 20,
  merchantCustomerId: 20,
  nameOnAccount: 22,
  firstName: 50,
  lastName: 50,
  address: 60,
  city: 40,
  state: 40,
  zip: 20,
  country: 60,
}

export interface SchemaProblem {
  readonly code: 'E00003' | 'E00015'
  readonly text: string
}

/** Returns the problem that the real endpoint would report about the form of a request; undefined if there is none. */
export function schemaProblem(name: string, value: unknown): SchemaProblem | undefined {
  if (Array.isArray(value)) return firstOf(value.map((item) => schemaProblem(name, item)))
  if (!isTree(value)) return lengthProblem(name, value)
  return (
    orderProblem(name, value) ??
    firstOf(Object.entries(value).map(([key, inner]) => schemaProblem(key, inner)))
  )
}

function orderProblem(name: string, value: Input): SchemaProblem | undefined {
  const order = ORDER[name]
  if (!order) return undefined
  let last = -1
  for (const key of Object.keys(value)) {
    const place = order.indexOf(key)
    if (place <= last)
      return { code: 'E00003', text: `The element '${name}' has invalid child element '${key}'.` }
    last = place
  }
  return undefined
}

function lengthProblem(name: string, value: unknown): SchemaProblem | undefined {
  const longest = name === 'description' ? 255 : LENGTHS[name]
  if (longest === undefined || String(value).length <= longest) return undefined
  return { code: 'E00015', text: `The field length is invalid for ${name}.` }
}

function firstOf(problems: readonly (SchemaProblem | undefined)[]): SchemaProblem | undefined {
  return problems.find((problem) => problem !== undefined)
}
