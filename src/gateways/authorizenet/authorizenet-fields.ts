import type { Credentials } from '../contract.js'
import type { FieldsOrigins, MethodDescription, PayerFields } from '../payer-fields.js'
import { type AuthorizeNetApi, textIn } from './authorizenet-api.js'

/** Origin of the scripts, by base address. */
const SCRIPTS: ReadonlyMap<string, string> = new Map([
  ['https://api.authorize.net', 'https://js.authorize.net'],
  ['https://apitest.authorize.net', 'https://jstest.authorize.net'],
])

/**
 * Origins to which Accept.js sends card numbers, by base address. For the live environment, the documentation
 * names either of the two.
 */
const RECEIVERS: ReadonlyMap<string, readonly string[]> = new Map([
  ['https://api.authorize.net', ['https://api.authorize.net', 'https://api2.authorize.net']],
])

/** First part of a token from the hosted form: a nonce, which can be charged once, within 15 minutes. */
const NONCE = 'COMMON.ACCEPT.INAPP.PAYMENT'

/** Opaque data of a nonce, for a request; undefined for the token of a stored profile. */
export function nonceIn(token: string): { dataDescriptor: string; dataValue: string } | undefined {
  const [dataDescriptor = '', ...rest] = token.split('/')
  return dataDescriptor === NONCE && rest.length > 0
    ? { dataDescriptor, dataValue: rest.join('/') }
    : undefined
}

/**
 * The hosted form AcceptUI for pages: its script and the account's public values. For payctl's own frames, Accept.js.
 */
export function acceptFields(api: AuthorizeNetApi): (credentials: Credentials) => Promise<PayerFields> {
  const keys = new WeakMap<Credentials, string>()

  /** The Public Client Key: configured by the operator, or read from the account. Throws an error if there is none. */
  const clientKey = async (credentials: Credentials): Promise<string> => {
    const known = credentials.secrets['client_key'] ?? keys.get(credentials)
    if (known) return known
    const details = await api.ask('getMerchantDetailsRequest', {}, credentials)
    const key = textIn(details, 'publicClientKey')
    if (key === undefined) throw new Error('The account has no Public Client Key')
    keys.set(credentials, key)
    return key
  }

  return async (credentials) => {
    const { baseUrl, secrets } = credentials
    const origin = SCRIPTS.get(baseUrl) ?? new URL(baseUrl).origin
    const origins: FieldsOrigins = { script: [origin], frame: [origin], connect: [] }
    return {
      kind: 'accept',
      script: `${origin}/v3/AcceptUI.js`,
      origins,
      settings: { apiLoginID: secrets['login_id'] ?? '', clientKey: await clientKey(credentials) },
      inFrames: {
        script: `${origin}/v1/Accept.js`,
        connect: RECEIVERS.get(baseUrl) ?? [new URL(baseUrl).origin],
      },
    }
  }
}

const BRANDS: Readonly<Record<string, MethodDescription['brand']>> = {
  AmericanExpress: 'american_express',
  Discover: 'discover',
  MasterCard: 'mastercard',
  Visa: 'visa',
}

/** Our name of a card brand; undefined for a brand that payctl does not know. */
export function brandOf(name: string | undefined): MethodDescription['brand'] {
  return BRANDS[name ?? '']
}

/** Description of the method in a transaction's answer: last four digits (from `XXXX1111`) and brand. */
export function describedIn(answer: Parameters<typeof textIn>[0]): MethodDescription {
  const lastFour = textIn(answer, 'accountNumber')?.match(/(\d{4})$/)?.[1]
  const brand = brandOf(textIn(answer, 'accountType'))
  return { ...(lastFour !== undefined && { lastFour }), ...(brand !== undefined && { brand }) }
}
