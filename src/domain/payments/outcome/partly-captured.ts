import type { Work } from '../../../engine/core/write/work.js'
import type { TransactionRow } from '../../../engine/store/database/tables.js'
import { formatMoney } from '../../../schema/money.js'
import { raiseException } from '../../exceptions/raise-exception.js'
import { chargedAmount } from '../pending/gateway-request.js'

/**
 * Opens a reconciliation exception for a payment that is authorized here and partly captured at the gateway: only an
 * operator can divide the amount. `amount` is the captured part, in minor units.
 */
export async function raisePartlyCaptured(work: Work, row: TransactionRow, amount: number): Promise<void> {
  await raiseException(work, {
    kind: 'amount_differs',
    about: `captured ${row.id}`,
    transaction: row,
    amount,
    direction: 'paid',
    resolutions: ['partial', 'ignore'],
    happened: `The gateway has captured ${formatMoney(amount)} of the payment ${row.gateway_id}`,
    notice: JSON.stringify({ captured: row.gateway_id, amount }),
    explanation: `This payment of ${formatMoney(chargedAmount(row))} is authorized here, and no capture of it is known`,
  })
}
