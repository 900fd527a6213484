import { ApiError } from '../../engine/core/request/errors.js'
import type { Steps } from '../../engine/core/write/rule.js'
import type { GatewayNotice, RemoteGateway } from '../../gateways/contract.js'
import { recordChargeback } from './record-chargeback.js'
import { recordDisputeWon } from './record-dispute-won.js'

/** A notice, and why it cannot be recorded now, if so: the gateway keeps it and reports it again. */
export type CollectedNotice = { readonly notice: GatewayNotice; readonly refusal?: ApiError }

/**
 * Asks the gateway for disputes and bank returns and records each in a unit of work of its own, and only once however
 * often it is reported. Money: "Refunds, voids, disputes".
 */
export async function collectNotices(
  write: Steps['write'],
  gateway: RemoteGateway,
): Promise<CollectedNotice[]> {
  const collected: CollectedNotice[] = []
  for (const notice of await gateway.notices()) {
    const refusal = await record(write, notice)
    if (!refusal) await gateway.acknowledge(notice)
    collected.push(refusal ? { notice, refusal } : { notice })
  }
  return collected
}

async function record(write: Steps['write'], notice: GatewayNotice): Promise<ApiError | undefined> {
  const { kind, dispute, payment, amount, statusCode } = notice
  try {
    await write((work) =>
      kind === 'dispute_won'
        ? recordDisputeWon(work, payment, dispute)
        : recordChargeback(work, { paymentId: payment, dispute, amount, statusCode }),
    )
    return undefined
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}
