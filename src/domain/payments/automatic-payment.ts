import type { Work } from '../../engine/core/write/work.js'
import type { TransactionRow } from '../../engine/store/database/tables.js'
import type { Gateway } from '../../gateways/contract.js'
import type { TransactionInput } from './described-transaction.js'
import { takePayment } from './take-payment.js'

/** Takes a payment that is due by a schedule, without a client's request. Throws `InvalidAttributes` before anything is stored. */
export type AutomaticPayment = (work: Work, input: TransactionInput) => Promise<TransactionRow>

/** Money: "Billing schedules". Fires `automatic_payment` before `payment`. */
export function automaticPayment(gateway: Gateway): AutomaticPayment {
  return async (work, input) =>
    await takePayment(work, gateway, input, {
      type: 'payment',
      requestedStatus: 'processed',
      isAutomatic: true,
    })
}
