import type { Work } from '../../engine/core/write/work.js'
import type { TransactionRow } from '../../engine/store/database/tables.js'
import { resources } from '../../resources/resource-table.js'
import type { Language } from '../../schema/language.js'
import { organizationOf, type ShownOrganization } from '../accounts/organization-shown.js'
import { shownToClient } from '../payments/client-answer.js'
import { isAwaitingPayer, isWaitOver } from '../payments/pending/awaited-payer.js'
import { redirectsOf, successAddress } from './redirects.js'

/** Outcome of a payment, for the payer who made it on a page. */
export interface OpenedPayment {
  /**
   * `waiting`: the answer of the processor is not known; `held`: the payment is authorized, and captured later or
   * never.
   */
  readonly state: 'paid' | 'waiting' | 'held' | 'declined' | 'cancelled'
  readonly merchant: string
  readonly organization: ShownOrganization | undefined
  /** Id of the payment's link. */
  readonly link: string | undefined
  /** Address of the shop for payers who have paid, if the link has one. */
  readonly onward: string | undefined
  /** Address of the receipt, if there is one. */
  readonly receipt: string | undefined
  /** Address of the page on which the payer authenticates, while the payment waits for that. */
  readonly confirmAt: string | undefined
  /** Language of the link; undefined: the payer's browser chooses. */
  readonly locale: Language | undefined
  /** The `status_code` of a payment that was declined. */
  readonly reason: string | undefined
}

/**
 * Contents of a payment's page. The caller must know that the visitor made the payment, as an id alone is no proof.
 */
export async function openPayment(work: Work, id: string): Promise<OpenedPayment | undefined> {
  const payment = await work.find(resources.transaction, id)
  if (!payment?.processing_id) return undefined
  const [receipt] = await work.findBy(resources.receipt, 'transaction_id', id)
  const account = await work.find(resources.processing_account, payment.processing_id)
  const link = payment.payment_link_id
    ? await work.find(resources.payment_link, payment.payment_link_id)
    : undefined
  const { url } = resources.receipt.fields
  const state = stateOf(payment)
  return {
    state,
    merchant: account?.name ?? payment.processing_id,
    organization: await organizationOf(work, account),
    link: payment.payment_link_id ?? undefined,
    locale: link?.locale ?? undefined,
    onward: link && state === 'paid' ? successAddress(redirectsOf(link), id) : undefined,
    receipt: (receipt && work.addresses.show(url, receipt.id, work.now)) ?? undefined,
    confirmAt: confirmAddress(work, payment),
    reason: state === 'declined' ? (shownToClient(payment).status_code ?? undefined) : undefined,
  }
}

function confirmAddress(work: Work, payment: TransactionRow): string | undefined {
  if (!isAwaitingPayer(payment) || isWaitOver(payment, work.now)) return undefined
  const { url } = resources.transaction.fields.next_action.fields
  return work.addresses.show(url, payment.id, work.now) ?? undefined
}

function stateOf({ status }: TransactionRow): OpenedPayment['state'] {
  switch (status) {
    case 'processed':
      return 'paid'
    case 'authorized':
      return 'held'
    case 'declined':
      return 'declined'
    case 'voided':
    case 'rejected':
      return 'cancelled'
    case 'processing':
    case null:
      return 'waiting'
  }
}
