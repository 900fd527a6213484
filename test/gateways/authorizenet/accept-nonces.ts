import { type Input, isTree } from '../../../src/schema/types.js'

export const CLIENT_KEY = '5FcB6WrfHGS76gHW3v7btBCE3HuuBuke9Pj96Ztfn5R32G5ep42vne7MCWZtAucY'

const DESCRIPTOR = 'COMMON.ACCEPT.INAPP.PAYMENT'
/** Milliseconds for which a nonce is valid. */
const LIFE = 15 * 60_000

interface Nonce {
  readonly card: Input
  readonly madeAt: number
  isUsed: boolean
}

/** Nonces for cards from the hosted form. Each can be used once, within 15 minutes. */
export class AcceptNonces {
  private readonly made = new Map<string, Nonce>()

  constructor(private readonly now: () => number) {}

  /** Makes a nonce for a card. */
  make(card: Input): Input {
    const dataValue = Buffer.from(JSON.stringify({ code: `50_2_${this.made.size + 1}` })).toString('base64')
    this.made.set(dataValue, { card, madeAt: this.now(), isUsed: false })
    return { dataDescriptor: DESCRIPTOR, dataValue }
  }

  /** Uses up a nonce and returns its card; the code of the error if it is unknown, used or too old. */
  use({ dataDescriptor, dataValue }: Input): Input | 'E00113' | 'E00114' | 'E00115' {
    if (dataDescriptor !== DESCRIPTOR) return 'E00113'
    const nonce = this.made.get(String(dataValue))
    if (!nonce || nonce.isUsed) return 'E00114'
    if (this.now() - nonce.madeAt > LIFE) return 'E00115'
    nonce.isUsed = true
    return nonce.card
  }
}

/**
 * The card in a token of the hosted form, with its expiry (`122035`) as in a transaction. Undefined if it is invalid.
 */
export function cardOf(token: unknown): Input | undefined {
  if (!isTree(token)) return undefined
  const { cardNumber, expirationDate, cardCode } = token
  const [, month, year] = /^(\d\d)(\d{4})$/.exec(String(expirationDate)) ?? []
  if (month === undefined || !/^\d{13,16}$/.test(String(cardNumber))) return undefined
  return { cardNumber, expirationDate: `${year}-${month}`, ...(cardCode ? { cardCode } : {}) }
}
