import { reaches } from '../../../schema/role.js'
import { element, type Html } from '../../html/html.js'
import { pageAddress } from '../../html/page-address.js'
import { type ConsoleRequest, consoleAddress } from '../console-page.js'
import { actionLink } from '../elements/list-html.js'
import { resolveOffer } from '../offers/offer.js'
import { type FoundOffer, offerAt } from '../offers/offers.js'

/** Links to the offers below a page that the visitor's role may use. */
export function offerLinks(request: ConsoleRequest, offers: readonly FoundOffer[]): readonly Html[] {
  const { environment } = request.visitor
  return offers
    .filter((found) => isFor(request, found))
    .map(({ offer }) => {
      const path = [...request.path, offer.at.at(-1) ?? '']
      return actionLink(pageAddress(consoleAddress(environment, path)), offer.label)
    })
}

/**
 * A link to the offer whose page is below this page, such as an offer about a row of a list. Undefined if the visitor's
 * role may not use the offer.
 */
export function offerLink(request: ConsoleRequest, below: readonly string[]): Html | undefined {
  const path = [...request.path, ...below]
  const found = offerAt(path)
  if (!found || !isFor(request, found)) return undefined
  const href = pageAddress(consoleAddress(request.visitor.environment, path))
  return element('a', { href, class: 'keep' }, found.offer.label)
}

function isFor({ visitor: { app, principal } }: ConsoleRequest, { offer, ids }: FoundOffer): boolean {
  return reaches(principal.role ?? 'owner', resolveOffer(offer, ids, app.model).least)
}
