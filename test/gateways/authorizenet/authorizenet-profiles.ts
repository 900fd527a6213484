import { type Input, isTree } from '../../../src/schema/types.js'
import type { AcceptNonces } from './accept-nonces.js'
import { failure, SUCCESS } from './authorizenet-server.js'

interface Profile {
  readonly customerProfileId: string
  readonly customerPaymentProfileId: string
  /** The method with its number. */
  readonly payment: Input
}

/** Token of a profile that the account has from the beginning: a Visa card that ends in 1111. */
export const KEPT = '39598611/35872074'

/** Customer profiles, with one payment profile each. */
export class AuthorizeNetProfiles {
  /** Profiles by `merchantCustomerId`. */
  readonly made = new Map<string, Profile>([
    ['kept', profileOf(KEPT, { creditCard: { cardNumber: '4111111111111111', expirationDate: '2039-12' } })],
  ])

  constructor(private readonly nonces: AcceptNonces) {}

  create({ profile, validationMode }: Input): Input {
    const { merchantCustomerId, paymentProfiles } = isTree(profile) ? profile : {}
    const payment = isTree(paymentProfiles) && isTree(paymentProfiles.payment) ? paymentProfiles.payment : {}
    const id = String(merchantCustomerId)
    const before = this.duplicateOf(id)
    if (before) return before
    const { opaqueData } = payment
    const opened = isTree(opaqueData) ? this.nonces.use(opaqueData) : undefined
    if (typeof opened === 'string') return failure(opened, 'Invalid OTS Token.')
    const whole = opened ? { creditCard: opened } : payment
    const number = isTree(whole.creditCard) ? String(whole.creditCard.cardNumber) : ''
    if (validationMode === 'liveMode' && number.endsWith('0002'))
      return failure('E00027', 'The transaction was unsuccessful.')
    const made = this.keep(id, whole)
    return {
      customerProfileId: made.customerProfileId,
      customerPaymentProfileIdList: [made.customerPaymentProfileId],
      customerShippingAddressIdList: [],
      validationDirectResponseList: [],
      ...SUCCESS,
    }
  }

  /** Creates a profile from an approved payment. */
  createFrom(customer: unknown, payment: Input): Input {
    const id = isTree(customer) ? String(customer.id) : ''
    if (id === '') return failure('E00102', 'Customer Info is missing.')
    const before = this.duplicateOf(id)
    if (before) return before
    const { customerProfileId, customerPaymentProfileId } = this.keep(id, payment)
    return {
      ...SUCCESS,
      customerProfileId,
      customerPaymentProfileIdList: [customerPaymentProfileId],
      customerShippingAddressIdList: [],
    }
  }

  find({ merchantCustomerId }: Input): Input {
    const found = this.made.get(String(merchantCustomerId))
    if (!found) return failure('E00040', 'The record cannot be found.')
    const { customerProfileId, customerPaymentProfileId } = found
    return {
      profile: { paymentProfiles: [{ customerPaymentProfileId }], customerProfileId, merchantCustomerId },
      ...SUCCESS,
    }
  }

  /** Answers a payment profile with a masked number. The expiry is masked, too, unless the request asks for it. */
  show({ customerProfileId, customerPaymentProfileId, unmaskExpirationDate }: Input): Input {
    const found = [...this.made.values()].find(
      (each) =>
        each.customerProfileId === customerProfileId &&
        each.customerPaymentProfileId === customerPaymentProfileId,
    )
    if (!found) return failure('E00040', 'The record cannot be found.')
    const { creditCard } = found.payment
    const expirationDate =
      isTree(creditCard) && String(unmaskExpirationDate) === 'true' ? creditCard.expirationDate : 'XXXX'
    const number = isTree(creditCard) ? String(creditCard.cardNumber).slice(-4) : '6789'
    const masked = { cardNumber: `XXXX${number}`, expirationDate, cardType: 'Visa' }
    const payment = isTree(creditCard)
      ? { creditCard: masked }
      : { bankAccount: { accountNumber: `XXXX${number}` } }
    return { paymentProfile: { customerPaymentProfileId, customerProfileId, payment }, ...SUCCESS }
  }

  private duplicateOf(id: string): Input | undefined {
    const before = this.made.get(id)
    return (
      before && failure('E00039', `A duplicate record with ID ${before.customerProfileId} already exists.`)
    )
  }

  private keep(id: string, payment: Input): Profile {
    const count = this.made.size
    const made = profileOf(`${31_390_172 + count}/${28_393_490 + count}`, payment)
    this.made.set(id, made)
    return made
  }
}

function profileOf(token: string, payment: Input): Profile {
  const [customerProfileId = '', customerPaymentProfileId = ''] = token.split('/')
  return { customerProfileId, customerPaymentProfileId, payment }
}
