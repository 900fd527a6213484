import type { Core } from '../../engine/core/core.js'
import type { Work } from '../../engine/core/write/work.js'
import type { PaymentMethodRow } from '../../engine/store/database/tables.js'
import { resources } from '../../resources/resource-table.js'
import type { Language } from '../../schema/language.js'
import type { Minor } from '../../schema/money.js'
import { organizationOf, type ShownOrganization } from '../accounts/organization-shown.js'
import type { Gateways } from '../gateways/gateways.js'
import { settleStored } from '../payments/find-stored.js'
import { type AwaitedStep, settleAwaited } from '../payments/outcome/settle-awaited.js'
import { isAwaitingPayer } from '../payments/pending/awaited-payer.js'
import { chargedAmount } from '../payments/pending/gateway-request.js'

/** Contents of the page on which a payer authenticates a payment, or a payment method to be saved. */
export interface OpenedAction {
  readonly id: string
  readonly kind: 'payment' | 'method'
  /** Whether the payer has anything left to do. */
  readonly isOpen: boolean
  /** Whether a method was saved; a method that was refused is gone. */
  readonly isSaved: boolean
  /** The payer's step; undefined while the gateway does not answer. */
  readonly step: AwaitedStep | undefined
  readonly merchant: string
  readonly organization: ShownOrganization | undefined
  readonly locale: Language | undefined
  /** Amount that is charged, in minor units; 0 for a method. */
  readonly amount: Minor
  /** Address to which the payer comes back, if the client gave one. */
  readonly returnUrl: string | undefined
  /** Link from whose page the payer came. */
  readonly link: string | undefined
}

/** Parts of the address of the page on which a payer authenticates, as a visitor opens it. */
export interface ActionAddress {
  readonly id: string
  readonly signature: string
  /** Whether the payer gives the payment up. */
  readonly isGivenUp: boolean
}

/**
 * Contents of the page on which a payer authenticates, after the gateway was queried for the outcome. Undefined for an
 * address that is not genuine.
 */
export async function openAction(
  core: Core,
  gateways: Gateways,
  now: () => number,
  { id, signature, isGivenUp }: ActionAddress,
): Promise<OpenedAction | undefined> {
  const isMethod = id.startsWith(resources.payment_method.prefix)
  const before = await core.read(async (work) => {
    if (!work.addresses.isGood({ page: PAGE, id, signature }, work.now)) return undefined
    return isMethod ? ((await methodRow(work, id)) ?? 'gone') : 'payment'
  })
  if (before === undefined) return undefined
  const visited = { id, isGivenUp, now: now() }
  const step = isMethod
    ? await settleStored(core, gateways, visited)
    : await settleAwaited(core, gateways, visited)
  await core.completeAnswers()
  return await core.read(async (work) => {
    if (before === 'payment') return await shownPayment(work, id, step)
    return await shownMethod(work, id, before === 'gone' ? undefined : before, step)
  })
}

/** The row of a method, even if it is deleted: a refused method still leads back to its link. */
async function methodRow({ tx }: Work, id: string): Promise<PaymentMethodRow | undefined> {
  return await tx.db.selectFrom('payment_methods').selectAll().where('id', '=', id).executeTakeFirst()
}

const { page: PAGE } = resources.transaction.fields.next_action.fields.url

async function shownPayment(
  work: Work,
  id: string,
  step: AwaitedStep | undefined,
): Promise<OpenedAction | undefined> {
  const row = await work.find(resources.transaction, id)
  if (!row) return undefined
  const link = row.payment_link_id ? await work.find(resources.payment_link, row.payment_link_id) : undefined
  return {
    ...(await payeeShown(work, row.processing_id)),
    id,
    kind: 'payment',
    isOpen: isAwaitingPayer(row),
    isSaved: false,
    step,
    locale: link?.locale ?? undefined,
    amount: chargedAmount(row),
    returnUrl: row.return_url === null ? undefined : withTransaction(row.return_url, id),
    link: link?.id,
  }
}

/** Contents of the page of a method that is being saved. A method that does not exist any more was not saved. */
async function shownMethod(
  work: Work,
  id: string,
  row: PaymentMethodRow | undefined,
  step: AwaitedStep | undefined,
): Promise<OpenedAction> {
  const now = await work.find(resources.payment_method, id)
  const link = row?.saved_by ? await work.find(resources.payment_link, row.saved_by) : undefined
  return {
    ...(await payeeShown(work, link?.processing_id ?? null)),
    id,
    kind: 'method',
    isOpen: now !== undefined && now.pending_store !== null,
    isSaved: now !== undefined && now.pending_store === null,
    step,
    locale: link?.locale ?? undefined,
    amount: 0,
    returnUrl: undefined,
    link: link?.id,
  }
}

async function payeeShown(work: Work, processingId: string | null) {
  const account = processingId ? await work.find(resources.processing_account, processingId) : undefined
  return { merchant: account?.name ?? '', organization: await organizationOf(work, account) }
}

/** The shop's return address with the payment's id as `transaction_id`. */
function withTransaction(address: string, id: string): string {
  const url = new URL(address)
  url.searchParams.set('transaction_id', id)
  return url.href
}
