import type { Work } from '../../../engine/core/write/work.js'
import { resources } from '../../../resources/resource-table.js'
import { notPayable } from '../../payments/parties/pay-through-link.js'

/**
 * Address of the page on which a customer replaces the card on file. Uses a link that is open, or makes one. Undefined
 * if the customer or the account that would charge the card is unknown.
 */
export async function methodLinkAddress(
  work: Work,
  customerId: string | null,
  processingId: string | null,
): Promise<string | undefined> {
  if (customerId === null || processingId === null) return undefined
  const links = await work.findBy(resources.payment_link, 'customer_id', customerId)
  const open = links.find(
    (link) => link.type === 'method' && link.processing_id === processingId && !notPayable(link, work.now),
  )
  const { id } =
    open ??
    (await work.create(resources.payment_link, {
      type: 'method',
      customer_id: customerId,
      processing_id: processingId,
    }))
  return work.addresses.show(resources.payment_link.fields.url, id, work.now) ?? undefined
}
