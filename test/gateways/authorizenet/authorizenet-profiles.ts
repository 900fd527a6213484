import { type Input, isTree } from '../../../src/schema/types.js'
import { failure, SUCCESS } from './authorizenet-server.js'

interface Profile {
  readonly customerProfileId: string
  readonly customerPaymentProfileId: string
}

/** Customer profiles, with one payment profile each. */
export class AuthorizeNetProfiles {
  readonly made = new Map<string, Profile>()
  /** Nonces of pages, each of which is taken once. */
  private readonly used = new Set<string>()

  create({ profile, validationMode }: Input): Input {
    const { merchantCustomerId, paymentProfiles } = isTree(profile) ? profile : {}
    const payment = isTree(paymentProfiles) && isTree(paymentProfiles.payment) ? paymentProfiles.payment : {}
    const id = String(merchantCustomerId)
    const before = this.made.get(id)
    if (before)
      return failure('E00039', `A duplicate record with ID ${before.customerProfileId} already exists.`)
    const { creditCard, opaqueData } = payment
    if (isTree(opaqueData)) {
      const nonce = String(opaqueData.dataValue)
      if (this.used.has(nonce)) return failure('E00114', 'Invalid OTS Token.')
      this.used.add(nonce)
    }
    const number = isTree(creditCard) ? String(creditCard.cardNumber) : ''
    if (validationMode === 'liveMode' && number.endsWith('0002'))
      return failure('E00027', 'The transaction was unsuccessful.')
    const made = {
      customerProfileId: String(31_390_172 + this.made.size),
      customerPaymentProfileId: String(28_393_490 + this.made.size),
    }
    this.made.set(id, made)
    return {
      customerProfileId: made.customerProfileId,
      customerPaymentProfileIdList: [made.customerPaymentProfileId],
      customerShippingAddressIdList: [],
      validationDirectResponseList: [],
      ...SUCCESS,
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
}
