import type { AddressParts } from '../../engine/core/read/addresses.js'
import type { Work } from '../../engine/core/write/work.js'
import type { Environment } from '../../engine/store/database/store.js'
import { resources } from '../../resources/resource-table.js'
import type { Language } from '../../schema/language.js'
import { organizationOf, type ShownOrganization } from '../accounts/organization-shown.js'
import { notPayable } from '../payments/parties/pay-through-link.js'

/** An invoice, for any visitor with its address. The contents of the invoice are read over the API. */
export interface OpenedInvoice {
  readonly id: string
  readonly environment: Environment
  readonly processingId: string
  readonly organization: ShownOrganization | undefined
  /** Id of a link by which the invoice can be paid now. */
  readonly link: string | undefined
  /** Address of that link's page. */
  readonly linkUrl: string | undefined
  /** Language of the invoice's links; undefined: the payer's browser chooses. */
  readonly locale: Language | undefined
}

/** The invoice of an address; undefined when the address is wrong or the invoice is gone. */
export async function openInvoice(
  work: Work,
  requested: Omit<AddressParts, 'page'>,
): Promise<OpenedInvoice | undefined> {
  if (!work.addresses.isGood({ ...requested, page: 'invoice' }, work.now)) return undefined
  const invoice = await work.find(resources.invoice, requested.id)
  if (!invoice?.processing_id) return undefined
  const account = await work.find(resources.processing_account, invoice.processing_id)
  const links = await work.findBy(resources.payment_link, 'invoice_id', invoice.id)
  const isDue = (invoice.amount_due ?? 0) > 0
  const link = isDue ? links.find((each) => !notPayable(each, work.now))?.id : undefined
  return {
    id: invoice.id,
    environment: work.environment,
    processingId: invoice.processing_id,
    organization: await organizationOf(work, account),
    link,
    linkUrl:
      link === undefined
        ? undefined
        : (work.addresses.show(resources.payment_link.fields.url, link, work.now) ?? undefined),
    locale: links.find(({ locale }) => locale !== null)?.locale ?? undefined,
  }
}
