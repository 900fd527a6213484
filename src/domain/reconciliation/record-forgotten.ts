import type { Work } from '../../engine/core/write/work.js'
import type { TransactionRow } from '../../engine/store/database/tables.js'
import type { FoundOperation, RemoteGateway } from '../../gateways/contract.js'
import { resources } from '../../resources/resource-table.js'
import { formatMoney } from '../../schema/money.js'
import { raiseException } from '../exceptions/raise-exception.js'
import { recordNotice } from './record-notice.js'

/** Result for an operation of a gateway: it was known, is booked now, or waits for an operator. */
export type Caught = 'known' | 'booked' | 'exception'

/** Records an operation of a gateway that a restored database may lack. A repetition has no effect. */
export async function recordForgotten(
  work: Work,
  gateway: RemoteGateway,
  found: FoundOperation,
): Promise<Caught> {
  const { outcome, reference, parent = '' } = found
  // Operations without a reference of payctl are ignored: other systems made them through the same account.
  if (reference === undefined || typeof outcome === 'string') return 'known'
  const gatewayId = outcome.gatewayId ?? null
  const named = await work.lock(resources.transaction, reference)
  const own = named?.gateway === gateway.name ? named : await takenAs(work, gateway, gatewayId)
  const row = own ?? (await takenAs(work, gateway, parent))
  if (!row) return await recordUnknown(work, gateway, found, reference)
  await recordNotice(work, gateway, own ? { ...found, reference: own.id } : found)
  const after = await work.refresh(resources.transaction, row.id)
  if (after.status !== row.status) return 'booked'
  return own ? 'known' : 'exception'
}

/**
 * Opens a reconciliation exception for an operation whose transaction is unknown. An operation that moved no money is
 * ignored.
 */
async function recordUnknown(
  work: Work,
  gateway: RemoteGateway,
  { type, outcome, amount, state }: FoundOperation,
  reference: string,
): Promise<Caught> {
  if (typeof outcome === 'string' || outcome.result === 'declined' || state === 'voided') return 'known'
  // A payment whose payer has to authenticate may still be completed.
  const isPayment = type === 'sale' || type === 'authorize'
  const raised = await raiseException(work, {
    kind: 'forgotten_operation',
    about: `forgotten ${gateway.name} ${reference}`,
    amount,
    direction: isPayment ? 'paid' : 'taken',
    happened: `The gateway has ${isPayment ? 'taken' : 'paid out'} ${formatMoney(amount)} as ${reference}`,
    gateway: gateway.name,
    gatewayId: outcome.gatewayId ?? null,
    notice: JSON.stringify({ type, reference, amount, state }),
    resolutions: isPayment ? ['refund', 'link', 'ignore'] : ['link', 'loss', 'ignore'],
    explanation: `A restored database has forgotten ${reference}`,
  })
  return raised ? 'exception' : 'known'
}

/** The stored transaction to which the gateway gave this id; undefined if there is none. */
async function takenAs(
  work: Work,
  gateway: RemoteGateway,
  gatewayId: string | null,
): Promise<TransactionRow | undefined> {
  if (gatewayId === null || gatewayId === '') return undefined
  const named = await work.findBy(resources.transaction, 'gateway_id', gatewayId)
  const found = named.find((row) => row.gateway === gateway.name)
  return found && (await work.lock(resources.transaction, found.id))
}
