import type { Core } from '../../engine/core/core.js'
import { invalidAttributes } from '../../engine/core/request/api-error.js'
import type { Clock } from '../../platform/clock.js'
import type { Gateways } from '../gateways/gateways.js'
import type { PayerEntry } from '../gateways/payer-entry.js'
import { defaultAccount } from '../payments/parties/find-destination.js'
import { type ActionAddress, type OpenedAction, openAction } from './open-action.js'
import { type CheckoutRequest, openCheckout, openEntries } from './open-checkout.js'
import { type OpenedLink, openLink, type Payable, type PayingMethod } from './open-link.js'

/** Reads the contents of pages on which payers pay or authenticate, and the ways in which their methods are entered. */
export interface Payables {
  /** The contents of a payment link's page; undefined if there is no such link. */
  link(id: string): Promise<OpenedLink | undefined>
  /** The contents of a client key's page for payments. Throws `InvalidAttributes`. */
  checkout(request: CheckoutRequest): Promise<Payable>
  /** The way in which each method is entered on a shop's page with a client key. Throws `InvalidAttributes`. */
  entries(principal: CheckoutRequest['principal']): Promise<ReadonlyMap<PayingMethod, PayerEntry>>
  /** The contents of the page on which a payer authenticates; undefined for an address that is not genuine. */
  action(address: ActionAddress): Promise<OpenedAction | undefined>
}

export function payables(core: Core, gateways: Gateways, { now }: Clock): Payables {
  return {
    action: async (address) => await openAction(core, gateways, now, address),
    entries: (principal) => core.read((work) => openEntries(work, gateways, principal)),
    link: (id) => core.read((work) => openLink(work, gateways, id)),
    async checkout(request) {
      const opened = await core.read((work) => openCheckout(work, gateways, request))
      if (opened) return opened
      // In test the default account is made when it is first needed, here for the page of a payment.
      await core.write(defaultAccount, { through: 'page' })
      const first = await core.read((work) => openCheckout(work, gateways, request))
      if (!first) throw invalidAttributes({ processing_id: 'Not found' })
      return first
    },
  }
}
