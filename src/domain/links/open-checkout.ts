import { invalidAttributes } from '../../engine/core/request/api-error.js'
import type { Principal } from '../../engine/core/request/principal.js'
import type { Work } from '../../engine/core/write/work.js'
import type { AccountRow } from '../../engine/store/database/tables.js'
import { resources } from '../../resources/resource-table.js'
import { formatMoney, type Minor } from '../../schema/money.js'
import { type Input, isTree } from '../../schema/types.js'
import type { Gateways } from '../gateways/gateways.js'
import { type PayerEntry, payerEntry } from '../gateways/payer-entry.js'
import { chooseDestination, findDefault } from '../payments/parties/find-destination.js'
import { openAccount, openLink, type Payable, type PayingMethod } from './open-link.js'

/** The payment that a client key allows, and the amount that the shop's page requests. */
export interface CheckoutRequest {
  readonly principal: Pick<Principal, 'intent' | 'processingIds'>
  /** Minor units; undefined if the page names none. */
  readonly amount: Minor | undefined
}

/**
 * Contents of the page on which a payer pays with a client key. If the key's intent names a link, they are the
 * contents of the link's page; otherwise the page takes an amount. The page's amount counts only if the intent leaves
 * the amount open. Undefined while the environment has no account to pay. Throws `InvalidAttributes`.
 */
export async function openCheckout(
  work: Work,
  gateways: Gateways,
  { principal, amount }: CheckoutRequest,
): Promise<Payable | undefined> {
  const { intent = {} } = principal
  if (typeof intent.payment_link_id === 'string') {
    const link = await openLink(work, gateways, intent.payment_link_id)
    if (!link || link.saves !== undefined) throw invalidAttributes({ payment_link_id: 'Not found' })
    return { ...link, redirects: {} }
  }
  const account = await destinationOf(work, principal)
  if (!account) return undefined
  const method: Input = isTree(intent.payment_method) ? intent.payment_method : {}
  const invoice =
    typeof intent.invoice_id === 'string' ? await work.find(resources.invoice, intent.invoice_id) : undefined
  const accepted = { card: method.type !== 'bank_account', bank_account: method.type !== 'card' }
  const due = invoice?.amount_due ?? undefined
  const isPaid = due === 0 && amount === undefined && intent.amount === undefined
  const description = typeof intent.description === 'string' ? intent.description : undefined
  return {
    ...(await openAccount(work, gateways, {
      account,
      accepted,
      amount: isPaid ? 0 : amountOf(intent, amount ?? due),
    })),
    ...(isPaid && { state: 'nothing_due' }),
    description: description ?? invoice?.description ?? undefined,
    keepsMethod: method.keep_active === 1,
  }
}

/**
 * The way in which each method is entered on a shop's page with a client key; a method that no gateway accepts is
 * omitted. A method to be saved goes to the gateway that a payment by its customer would go to.
 */
export async function openEntries(
  work: Work,
  gateways: Gateways,
  principal: CheckoutRequest['principal'],
): Promise<ReadonlyMap<PayingMethod, PayerEntry>> {
  const { payment_link_id: linkId } = principal.intent ?? {}
  const link = typeof linkId === 'string' ? await openLink(work, gateways, linkId) : undefined
  const processingId = link ? '' : ((await destinationOf(work, principal))?.id ?? '')
  const entries = new Map<PayingMethod, PayerEntry>()
  for (const method of ['card', 'bank_account'] as const) {
    const ofLink: PayerEntry | undefined = link?.methods.includes(method)
      ? (link.fields.get(method) ?? { kind: 'typed' })
      : undefined
    const entry = link ? ofLink : await payerEntry(work, gateways, { method, processingId })
    if (entry) entries.set(method, entry)
  }
  return entries
}

/** The amount that the intent fixes, else the requested one. Throws `InvalidAttributes`. */
function amountOf({ amount: fixed }: Readonly<Input>, requested: Minor | undefined): Minor {
  if (typeof fixed === 'number') {
    if (requested !== undefined && requested !== fixed)
      throw invalidAttributes({ amount: `Must be ${formatMoney(fixed)}, which the client key fixes` })
    return fixed
  }
  if (requested === undefined) throw invalidAttributes({ amount: 'Required' })
  if (requested <= 0) throw invalidAttributes({ amount: 'Must be greater than 0' })
  return requested
}

async function destinationOf(
  work: Work,
  { intent = {}, processingIds }: CheckoutRequest['principal'],
): Promise<AccountRow | undefined> {
  const customerId = intent.customer_id ?? intent.account_id
  const customer =
    typeof customerId === 'string' ? await work.find(resources.customer, customerId) : undefined
  const destination = chooseDestination({
    requested: typeof intent.processing_id === 'string' ? intent.processing_id : undefined,
    primary: customer?.primary_processing_id,
    scope: processingIds,
  })
  switch (destination.kind) {
    case 'named':
      return await work.find(resources.processing_account, destination.id)
    case 'missing':
      throw invalidAttributes({ processing_id: 'Required' })
    case 'default':
      return await findDefault(work)
  }
}
