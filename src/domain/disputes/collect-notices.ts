import { ApiError } from '../../engine/core/request/errors.js'
import type { Steps } from '../../engine/core/write/rule.js'
import type { MoneyTakenBack, RemoteGateway } from '../../gateways/contract.js'
import { recordChargeback } from './record-chargeback.js'
import { recordDisputeWon } from './record-dispute-won.js'

/** A notice, and why it cannot be recorded now, if so: it is asked for again. */
export type CollectedNotice = { readonly notice: MoneyTakenBack; readonly refusal?: ApiError }

/**
 * Asks the gateway for disputes and bank returns and records each in a unit of work of its own, and only once however
 * often it is reported. Money: "Refunds, voids, disputes".
 */
export async function collectNotices(
  write: Steps['write'],
  gateway: RemoteGateway,
): Promise<CollectedNotice[]> {
  const collected: CollectedNotice[] = []
  const { notifications } = (await gateway.notifications?.(null)) ?? { notifications: [] }
  for (const notification of notifications)
    for (const notice of (await gateway.read?.(notification)) ?? []) {
      if (notice.kind === 'operation') continue
      const refusal = await record(write, notice)
      collected.push(refusal ? { notice, refusal } : { notice })
    }
  return collected
}

async function record(write: Steps['write'], notice: MoneyTakenBack): Promise<ApiError | undefined> {
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
