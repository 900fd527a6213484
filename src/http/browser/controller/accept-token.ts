import type { Refusal } from '../frames/frame-message.js'
import type { SecureInput } from '../frames/secure-frame.js'
import type { AcceptData } from './controller-data.js'

interface AcceptAnswer {
  readonly messages: {
    readonly resultCode: string
    readonly message: readonly { readonly code: string; readonly text: string }[]
  }
  readonly opaqueData: { readonly dataDescriptor: string; readonly dataValue: string }
}

/** Defined by the script Accept.js, unless something keeps it away. */
declare const Accept:
  | { dispatchData(data: object, answered: (answer: AcceptAnswer) => void): void }
  | undefined

/** Fields that the error codes of Accept.js are about. */
const ACCEPT_FIELDS: Readonly<Record<string, string>> = {
  E_WC_05: 'card_number',
  E_WC_06: 'expiry',
  E_WC_07: 'expiry',
  E_WC_08: 'expiry',
  E_WC_15: 'card_code',
}

/** The token of a card, or the problems of fields, or an error. */
type MadeToken =
  | { readonly token: string; readonly problems?: undefined; readonly error?: undefined }
  | { readonly problems: Readonly<Record<string, string>>; readonly error?: undefined }
  | { readonly error: Refusal; readonly problems?: undefined }

/** The token of the last input, until it is refused: input that is sent again after a success is the same payment. */
let nonce: { readonly typed: string; readonly token: string } | undefined

/** Forgets the token: it can be charged only once, even if the charge failed. */
export function forgetToken(): void {
  nonce = undefined
}

/** Makes a token of a card by Accept.js. */
export async function tokenOf(values: SecureInput['values'], accept: AcceptData): Promise<MadeToken> {
  const { card_number = '', expiry = '', card_code = '' } = values
  const typed = [card_number, expiry, card_code].join(' ')
  if (nonce?.typed === typed) return nonce
  const script = typeof Accept === 'object' ? Accept : undefined
  if (!script) return unavailable(accept.blocked)
  const [month, year] = expiry.split(/\D+/)
  const cardData = {
    cardNumber: card_number.replace(/\D/g, ''),
    month,
    year: `20${year}`,
    cardCode: card_code,
  }
  const { messages, opaqueData } = await new Promise<AcceptAnswer>((resolve) =>
    script.dispatchData({ authData: accept.settings, cardData }, resolve),
  )
  if (messages.resultCode === 'Ok') {
    nonce = { typed, token: `${opaqueData.dataDescriptor}/${opaqueData.dataValue}` }
    return nonce
  }
  const [{ code, text } = { code: '', text: '' }] = messages.message
  const name = ACCEPT_FIELDS[code]
  return name === undefined ? unavailable(`${code}: ${text}`) : { problems: { [name]: text } }
}

function unavailable(error_description: string): { readonly error: Refusal } {
  return { error: { error_type: 'ServiceUnavailable', error_description } }
}
