import { withDetailPath } from '../../../engine/core/request/error-details.js'
import type { Work } from '../../../engine/core/write/work.js'
import { resources } from '../../../resources/resource-table.js'
import { type Input, isTree, type RowOf } from '../../../schema/types.js'
import { announceLink } from '../../payments/pay-through-link.js'

/** Attributes of an intent that its payment link takes. */
const OF_A_LINK = ['amount', 'description', 'customer_id', 'processing_id', 'invoice_id'] as const

/** Intent of a client key for a checkout page, and the attributes that it fixes. */
export interface CheckoutPage {
  readonly intent: Input
  readonly fixed: Input
}

/**
 * Resolves an intent of the kind `checkout_page` to a payment link: the one that it names, or a new one that can be
 * paid once. The intent shows the page's address as `checkout_page.url`. The client key pays the same link, so nobody
 * pays twice. Undefined for any other intent.
 */
export async function checkoutPage(
  work: Work,
  intent: unknown,
  bounds: {
    readonly fixed: Input
    readonly processing_id: string | null
    readonly expires_at: string | null
  },
): Promise<CheckoutPage | undefined> {
  const options = isTree(intent) ? intent.checkout_page : undefined
  if (!isTree(options)) return undefined
  const { fixed, ...of } = bounds
  const named = fixed.payment_link_id
  const id = typeof named === 'string' ? named : await makeLink(work, options, { ...fixed, ...of })
  const url = work.addresses.show(resources.payment_link.fields.url, id, work.now)
  // An invoice's link allocates the payment by itself.
  const { invoice_id: _, ...others } = fixed
  return { intent: { checkout_page: { ...options, url } }, fixed: { ...others, payment_link_id: id } }
}

async function makeLink(work: Work, options: Input, fixed: Input): Promise<string> {
  const { card_payments, bank_account_payments } = options
  const checkout_options = {
    ...(card_payments !== undefined && { card_payments }),
    ...(bank_account_payments !== undefined && { bank_account_payments }),
  }
  const named = Object.fromEntries(OF_A_LINK.map((name) => [name, fixed[name]]))
  const link = await withDetailPath(['intent', 'checkout_page'], () =>
    work.create(resources.payment_link, {
      ...named,
      type: 'one_time',
      expires_at: fixed.expires_at,
      ...(Object.keys(checkout_options).length > 0 && { checkout_options }),
    }),
  )
  return link.id
}

/** Disables the page of a deleted key, unless the key's intent named an existing link. */
export async function closePage(
  work: Work,
  { intent, fixed }: RowOf<typeof resources.access_token>,
): Promise<void> {
  const { payment_link_id: id } = parsed(fixed)
  const { checkout_page: options } = parsed(intent)
  if (typeof id !== 'string' || !isTree(options) || options.payment_link_id) return
  const link = await work.lock(resources.payment_link, id)
  if (link?.status === 'active')
    announceLink(work, await work.change(resources.payment_link, id, { status: 'inactive' }))
}

function parsed(json: string | null): Input {
  const value: unknown = json === null ? undefined : JSON.parse(json)
  return isTree(value) ? value : {}
}
