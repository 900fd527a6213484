import type { WorkRunner } from '../../../engine/jobs/due-job.js'
import type { PayerAction, RemoteGateway } from '../../../gateways/contract.js'
import { resources } from '../../../resources/resource-table.js'
import type { Gateways } from '../../gateways/gateways.js'
import type { PayerFields } from '../../gateways/payer-entry.js'
import { isAwaitingPayer } from '../pending/awaited-payer.js'
import { findOutcome, intentOf, recordFound } from './reconcile.js'

/** Payment, or payment method to be saved, whose payer is on its page. */
export interface AwaitedPayment {
  readonly id: string
  /** Whether the payer has given up. A payment is then cancelled at the gateway. */
  readonly isGivenUp: boolean
  /** Milliseconds since 1970. */
  readonly now: number
}

/** The step that the payer must take, and the gateway's fields, whose script carries it out in the page. */
export interface AwaitedStep {
  readonly action: PayerAction
  readonly fields: PayerFields | undefined
}

/**
 * Queries the gateway about a payment that waits for its payer, and records the outcome. Returns the step that the
 * payer must still take; undefined if there is none, or if the gateway does not answer now.
 */
export async function settleAwaited(
  { read, write }: WorkRunner,
  gateways: Gateways,
  { id, isGivenUp, now }: AwaitedPayment,
): Promise<AwaitedStep | undefined> {
  const found = await read(async (work) => {
    const row = await work.find(resources.transaction, id)
    const intent = row && isAwaitingPayer(row) ? await intentOf(work, gateways, row) : undefined
    return intent && { intent, isSending: !(await gateways.isCatchingUp(work)) }
  })
  if (!found) return undefined
  const { intent, isSending } = found
  const awaits = isGivenUp ? 'over' : intent.awaits
  const answer = await findOutcome({ ...intent, awaits }, undefined, { now, isSending })
  if (answer === 'unknown') return undefined
  await write((work) => recordFound(work, intent, answer, isSending))
  if (answer === 'never_seen' || answer.result !== 'action') return undefined
  return { action: answer, fields: await fieldsFor(intent.gateway, intent.operation.merchant, answer) }
}

/**
 * The gateway's fields, for a step that the payer takes in the page. Undefined for other steps, or if the gateway
 * cannot be reached now.
 */
export async function fieldsFor(
  gateway: RemoteGateway,
  merchant: string | undefined,
  { clientSecret }: PayerAction,
): Promise<PayerFields | undefined> {
  if (clientSecret === undefined) return undefined
  try {
    return await gateway.fields?.(merchant)
  } catch {
    return undefined
  }
}
