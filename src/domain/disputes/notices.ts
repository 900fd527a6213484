import { ApiError } from '../../engine/core/request/errors.js'
import type { Work } from '../../engine/core/write/work.js'
import type { TransactionRow } from '../../engine/store/database/tables.js'
import type { GatewayNotice, RemoteGateway } from '../../gateways/contract.js'
import type { WriteWork } from '../payments/reconcile.js'
import { recordChargeback } from './record-chargeback.js'
import { recordWin } from './record-win.js'

/** What became of a notice: one that cannot be recorded now stays with the gateway, which tells it again. */
export type Recorded = { readonly notice: GatewayNotice; readonly refusal?: ApiError }

/**
 * Asks the gateway for disputes and bank returns and records each in a unit of work of its own. What is told twice is
 * recorded once. Money: "Refunds, voids, disputes".
 */
export async function collectNotices(transact: WriteWork, gateway: RemoteGateway): Promise<Recorded[]> {
  const recorded: Recorded[] = []
  for (const notice of await gateway.notices()) {
    const refusal = await record(transact, notice)
    if (!refusal) await gateway.acknowledge(notice)
    recorded.push(refusal ? { notice, refusal } : { notice })
  }
  return recorded
}

async function record(transact: WriteWork, notice: GatewayNotice): Promise<ApiError | undefined> {
  try {
    await transact((work) => recordNotice(work, notice))
    return undefined
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

/** Records one notice; answers the chargeback or its reversal. Throws `ApiError` when it does not fit the payment. */
async function recordNotice(work: Work, notice: GatewayNotice): Promise<TransactionRow> {
  const { kind, dispute, payment, amount, statusCode } = notice
  return kind === 'dispute_won'
    ? await recordWin(work, payment, dispute)
    : await recordChargeback(work, { paymentId: payment, dispute, amount, statusCode })
}
