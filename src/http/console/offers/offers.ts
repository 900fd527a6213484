import { idsIn, type Offer, type OfferIds } from './offer.js'
import { payerOffers } from './payer-offers.js'
import { settingsOffers } from './settings-offers.js'

/** All offers; the first one whose address matches a path is used. */
export const OFFERS: readonly Offer[] = [...payerOffers, ...settingsOffers]

/** An offer with the ids of its address. */
export interface FoundOffer {
  readonly offer: Offer
  readonly ids: OfferIds
}

/** The offer whose page has the path. */
export function offerAt(path: readonly string[]): FoundOffer | undefined {
  for (const offer of OFFERS) {
    const ids = idsIn(offer, path)
    if (ids) return { offer, ids }
  }
  return undefined
}

/** The offers whose pages are one segment below a path, such as the offers about one object. */
export function offersBelow(path: readonly string[]): readonly FoundOffer[] {
  return OFFERS.flatMap((offer) => {
    const last = offer.at.at(-1) ?? ''
    const ids = last.startsWith(':') ? undefined : idsIn(offer, [...path, last])
    return ids ? [{ offer, ids }] : []
  })
}
