import type { Core } from '../../engine/core/core.js'
import type { Work } from '../../engine/core/write/work.js'
import type { TransactionRow } from '../../engine/store/database/tables.js'
import { resources } from '../../resources/resource-table.js'
import type { Language } from '../../schema/language.js'
import type { Minor } from '../../schema/money.js'
import { organizationOf, type ShownOrganization } from '../accounts/organization-shown.js'
import type { Gateways } from '../gateways/gateways.js'
import { isAwaitingPayer } from '../payments/awaited-payer.js'
import { chargedAmount } from '../payments/gateway-request.js'
import { type AwaitedStep, settleAwaited } from '../payments/settle-awaited.js'

/** A payment at whose page the payer authenticates. */
export interface OpenedAction {
  readonly id: string
  /** Whether the payer has anything left to do. */
  readonly isOpen: boolean
  /** The payer's step; undefined while the gateway does not answer. */
  readonly step: AwaitedStep | undefined
  readonly merchant: string
  readonly organization: ShownOrganization | undefined
  readonly locale: Language | undefined
  /** Amount that is charged, in minor units. */
  readonly amount: Minor
  /** Address to which the payer comes back, if the client gave one. */
  readonly returnUrl: string | undefined
}

/** Address of an action's page, as somebody opens it. */
export interface ActionAddress {
  readonly id: string
  readonly signature: string
  /** Whether the payer gives the payment up. */
  readonly isGivenUp: boolean
}

/**
 * Contents of the page on which a payer authenticates, after the gateway was queried for what became of it. Undefined
 * for an address that is not genuine.
 */
export async function openAction(
  core: Core,
  gateways: Gateways,
  now: () => number,
  { id, signature, isGivenUp }: ActionAddress,
): Promise<OpenedAction | undefined> {
  const isKnown = await core.read(
    async (work) =>
      work.addresses.isGood({ page: PAGE, id, signature }, work.now) &&
      (await work.find(resources.transaction, id)) !== undefined,
  )
  if (!isKnown) return undefined
  const step = await settleAwaited(core, gateways, { id, isGivenUp, now: now() })
  await core.completeAnswers()
  return await core.read(async (work) => {
    const row = await work.find(resources.transaction, id)
    return row && (await shownAction(work, row, step))
  })
}

const { page: PAGE } = resources.transaction.fields.next_action.fields.url

async function shownAction(
  work: Work,
  row: TransactionRow,
  step: AwaitedStep | undefined,
): Promise<OpenedAction> {
  const account = row.processing_id
    ? await work.find(resources.processing_account, row.processing_id)
    : undefined
  const link = row.payment_link_id ? await work.find(resources.payment_link, row.payment_link_id) : undefined
  return {
    id: row.id,
    isOpen: isAwaitingPayer(row),
    step,
    merchant: account?.name ?? '',
    organization: await organizationOf(work, account),
    locale: link?.locale ?? undefined,
    amount: chargedAmount(row),
    returnUrl: row.return_url === null ? undefined : withTransaction(row.return_url, row.id),
  }
}

/** An address of a shop that names the payment. */
function withTransaction(address: string, id: string): string {
  const url = new URL(address)
  url.searchParams.set('transaction_id', id)
  return url.href
}
