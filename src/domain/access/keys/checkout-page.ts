import { authorize } from '../../../engine/core/query/authorize.js'
import { withDetailPath } from '../../../engine/core/request/error-details.js'
import type { Work } from '../../../engine/core/write/work.js'
import { resources } from '../../../resources/resource-table.js'
import { type Input, isTree, type RowOf } from '../../../schema/types.js'
import { announceLink } from '../../allocations/complete-links.js'
import type { Redirects } from '../../links/redirects.js'
import { hasPage, type Intent } from './intent.js'

/** Attributes of an intent that are copied to a new payment link. */
const OF_A_LINK = ['amount', 'description', 'customer_id', 'processing_id', 'invoice_id'] as const

/** Address of the page of a client key, and the attributes that the key's intent fixes. */
export interface CheckoutPage {
  readonly url: string | null
  readonly fixed: Input
}

/**
 * Finds the payment link on whose page a client key is used. If the intent names none, a new single-use link is made;
 * the key's maker must be allowed to make links. A payment with the client key pays the same link, so that nobody
 * pays twice. `bounds` are the account and the expiry of the key.
 */
export async function checkoutPage(
  work: Work,
  { path, fixed, redirects }: Intent,
  bounds: { readonly processing_id: string | null; readonly expires_at: string | null },
): Promise<CheckoutPage> {
  const named = fixed.payment_link_id
  const id =
    typeof named === 'string'
      ? named
      : await withDetailPath(path, () => makeLink(work, { ...fixed, ...bounds }, redirects))
  // The link allocates the payment to its invoice, so the key does not fix the invoice as well.
  const { invoice_id: _, ...others } = fixed
  const url = work.addresses.show(resources.payment_link.fields.url, id, work.now)
  return { url, fixed: { ...others, payment_link_id: id } }
}

async function makeLink(work: Work, fixed: Input, redirects: Redirects | undefined): Promise<string> {
  authorize(work.principal, 'POST', resources.payment_link)
  const { payment_method: method, order_number: order, expires_at } = fixed
  const accepted = isTree(method) ? method.type : undefined
  const link = await work.create(resources.payment_link, {
    ...Object.fromEntries(OF_A_LINK.map((name) => [name, fixed[name]])),
    type: 'one_time',
    expires_at,
    ...(accepted !== undefined && {
      checkout_options: {
        card_payments: accepted === 'card',
        bank_account_payments: accepted === 'bank_account',
      },
    }),
  })
  if (typeof order === 'string' || redirects)
    await work.change(resources.payment_link, link.id, {
      order_number: typeof order === 'string' ? order : null,
      redirects: redirects ? JSON.stringify(redirects) : null,
    })
  return link.id
}

/** Disables the page of a deleted key, unless the key's intent named an existing link. */
export async function closePage(
  work: Work,
  { intent, fixed }: RowOf<typeof resources.access_token>,
): Promise<void> {
  const [kind = '', options] = Object.entries(parsed(intent))[0] ?? []
  if (!hasPage(kind) || !isTree(options) || options.payment_link_id) return
  const { transactions } = parsed(fixed)
  const id = isTree(transactions) ? transactions.payment_link_id : undefined
  const link = typeof id === 'string' ? await work.lock(resources.payment_link, id) : undefined
  if (link?.status === 'active')
    announceLink(work, await work.change(resources.payment_link, link.id, { status: 'inactive' }))
}

function parsed(json: string | null): Input {
  const value: unknown = json === null ? undefined : JSON.parse(json)
  return isTree(value) ? value : {}
}
