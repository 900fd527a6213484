import type { Work } from '../../engine/core/write/work.js'
import type { PaymentMethodRow } from '../../engine/store/database/tables.js'

/** Forgets the sealed numbers of a method and keeps what it is shown and found by. Decisions: "Sensitive data". */
export async function dropNumbers(work: Work, row: PaymentMethodRow): Promise<PaymentMethodRow> {
  return await work.change('payment_method', row.id, {
    card__card_number: null,
    bank_account__account_number: null,
    bank_account__routing_number: null,
  })
}
