import type { InputByName, Work } from '../../engine/core/write/work.js'
import type { PaymentMethodRow } from '../../engine/store/database/tables.js'
import type { GatewayMethod, GatewayOperation } from '../../gateways/contract.js'
import { CURRENCY } from '../../schema/money.js'
import type { Transaction } from '../ledger/stored-transaction.js'
import type { NewOperation } from './pending-operation.js'

/** A new payment, blind refund or credit, as a request to the gateway. Payers are charged amount and convenience fee. */
export function newOperation(
  { kind }: NewOperation,
  { id, amount, convFee }: Pick<Transaction, 'id' | 'amount' | 'convFee'>,
  method: GatewayMethod,
): GatewayOperation {
  const type = kind === 'blind_refund' ? 'refund' : kind
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
export function storedInstrument(
  work: Work,
  row: PaymentMethodRow,
  cardCode: string | undefined,
): GatewayMethod | undefined {
  if (row.type === 'bank_account') {
    const number = opened(work, row, 'bank_account__account_number')
    const routing = opened(work, row, 'bank_account__routing_number')
    return number && routing ? { type: 'bank_account', number, routing, ...addressOf(row) } : undefined
  }
  const number = opened(work, row, 'card__card_number')
  return number ? { type: 'card', number, ...cardOf(row, cardCode) } : undefined
}

/** A method that is stored with this payment: its numbers are at hand and need not be opened. */
export function newInstrument(
  row: PaymentMethodRow,
  { card, bank_account: bank }: Pick<InputByName['payment_method'], 'card' | 'bank_account'>,
  cardCode: string | undefined,
): GatewayMethod | undefined {
  if (row.type === 'bank_account') {
    const { account_number: number, routing_number: routing } = bank ?? {}
    return number && routing ? { type: 'bank_account', number, routing, ...addressOf(row) } : undefined
  }
  const number = card?.card_number
  return number ? { type: 'card', number, ...cardOf(row, cardCode) } : undefined
}

function addressOf(row: PaymentMethodRow): Pick<GatewayMethod, 'postalCode' | 'street'> {
  return {
    postalCode: row.billing_address__postal_code ?? undefined,
    street: row.billing_address__street_address ?? undefined,
  }
}

function cardOf(row: PaymentMethodRow, cardCode: string | undefined) {
  return { expiry: row.card__expiry ?? undefined, cardCode, ...addressOf(row) }
}

type Sealed = 'card__card_number' | 'bank_account__account_number' | 'bank_account__routing_number'

function opened(work: Work, row: PaymentMethodRow, column: Sealed): string | undefined {
  const sealed = row[column]
  return sealed === null
    ? undefined
    : work.vault.open(sealed, { table: 'payment_methods', column, id: row.id })
}
