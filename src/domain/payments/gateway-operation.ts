import type { Work } from '../../engine/core/write/work.js'
import type { PaymentMethodRow } from '../../engine/store/database/tables.js'
import type { GatewayMethod, GatewayOperation } from '../../gateways/contract.js'
import { CURRENCY } from '../../schema/money.js'
import type { Transaction } from '../ledger/stored.js'

/** A new payment, blind refund or credit, as the gateway is asked for it. Payers are charged amount and convenience fee. */
export function newOperation(
  type: 'sale' | 'authorize' | 'refund' | 'credit',
  { id, amount, convFee }: Pick<Transaction, 'id' | 'amount' | 'convFee'>,
  method: GatewayMethod,
): GatewayOperation {
  return { type, reference: id, amount: amount + convFee, currency: CURRENCY, method }
}

/** An operation on a payment that the gateway knows. */
export function followingOperation(
  type: 'capture' | 'void' | 'refund',
  reference: string,
  payment: Pick<Transaction, 'id'>,
  amount: number,
): GatewayOperation {
  return { type, reference, parent: payment.id, amount, currency: CURRENCY }
}

/** A stored method, its numbers opened, for the gateway's eyes only. Nothing when its numbers were not kept. */
export function openMethod(
  work: Work,
  row: PaymentMethodRow,
  cardCode: string | undefined,
): GatewayMethod | undefined {
  const address = {
    postalCode: row.billing_address__postal_code ?? undefined,
    street: row.billing_address__street_address ?? undefined,
  }
  if (row.type === 'bank_account') {
    const number = opened(work, row, 'bank_account__account_number')
    const routing = opened(work, row, 'bank_account__routing_number')
    return number && routing ? { type: 'bank_account', number, routing, ...address } : undefined
  }
  const number = opened(work, row, 'card__card_number')
  const expiry = row.card__expiry ?? undefined
  return number ? { type: 'card', number, expiry, cardCode, ...address } : undefined
}

type Sealed = 'card__card_number' | 'bank_account__account_number' | 'bank_account__routing_number'

function opened(work: Work, row: PaymentMethodRow, column: Sealed): string | undefined {
  const sealed = row[column]
  return sealed === null
    ? undefined
    : work.vault.open(sealed, { table: 'payment_methods', column, id: row.id })
}
