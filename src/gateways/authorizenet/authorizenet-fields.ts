import type { Credentials } from '../contract.js'
import type { FieldsOrigins, MethodDescription, PayerFields } from '../payer-fields.js'
import { type AuthorizeNetApi, textIn } from './authorizenet-api.js'

/** Addresses of the interface, with the origin of the scripts that belong to each. */
const SCRIPTS: ReadonlyMap<string, string> = new Map([
  ['https://api.authorize.net', 'https://js.authorize.net'],
  ['https://apitest.authorize.net', 'https://jstest.authorize.net'],
])

/** Origins to which Accept.js sends numbers, by the address of the interface: sources name either one in live. */
const RECEIVERS: ReadonlyMap<string, readonly string[]> = new Map([
  ['https://api.authorize.net', ['https://api.authorize.net', 'https://api2.authorize.net']],
])

/** Beginning of a token that the fields have made: a nonce, which is charged once and within 15 minutes. */
const NONCE = 'COMMON.ACCEPT.INAPP.PAYMENT'

/** Opaque data of a nonce; undefined for a token of a stored profile. */
export function nonceIn(token: string): { dataDescriptor: string; dataValue: string } | undefined {
  const [dataDescriptor = '', ...rest] = token.split('/')
  return dataDescriptor === NONCE && rest.length > 0
    ? { dataDescriptor, dataValue: rest.join('/') }
    : undefined
}

/** The hosted form AcceptUI: its script, and the account's public values; for frames of ours Accept.js. */
export function acceptFields(api: AuthorizeNetApi): (credentials: Credentials) => Promise<PayerFields> {
  const keys = new WeakMap<Credentials, string>()

  /** The Public Client Key, as the operator gave it or the account has it. */
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

/** Our name of a brand of cards; undefined for one that we have no name for. */
export function brandOf(name: string | undefined): MethodDescription['brand'] {
  return BRANDS[name ?? '']
}

/** The method of a transaction as its answer has it: `XXXX1111`, and the brand. */
export function describedIn(answer: Parameters<typeof textIn>[0]): MethodDescription {
  const lastFour = textIn(answer, 'accountNumber')?.match(/(\d{4})$/)?.[1]
  const brand = brandOf(textIn(answer, 'accountType'))
  return { ...(lastFour !== undefined && { lastFour }), ...(brand !== undefined && { brand }) }
}
