import { invalidAttributes } from '../../engine/core/request/errors.js'
import type { Work } from '../../engine/core/write/work.js'
import type { TransactionRow } from '../../engine/store/database/tables.js'
import type { Gateway } from '../../gateways/contract.js'
import type { Input } from '../../schema/types.js'
import { requireGateway } from './ask-gateway.js'
import { capturePayment } from './capture-payment.js'
import { voidPayment } from './void-payment.js'

/**
 * The operator's decision on a payment that is held for review: allowed, it gets the status that was requested; denied, it
 * is voided. Throws `InvalidAttributes` for one that is not held. Money: "Before a payment is taken".
 */
export async function reviewPayment(
  work: Work,
  gateway: Gateway | undefined,
  row: TransactionRow,
  { decision }: Input,
): Promise<TransactionRow> {
  if (row.risk_flag !== 'in_review' || row.status !== 'authorized')
    throw invalidAttributes({ decision: `The payment is not held for review: it is ${row.status}` })
  const connected = requireGateway(gateway, work.environment)
  const isAllowed = decision === 'allow'
  const judged = await work.change('transaction', row.id, { risk_flag: isAllowed ? 'allowed' : 'denied' })
  if (!isAllowed) return await voidPayment(work, connected, row.id)
  return judged.asked_status === 'processed' ? await capturePayment(work, connected, row.id) : judged
}
