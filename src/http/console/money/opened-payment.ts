import { answeredText, minorIn, objectIn } from '../../../schema/answer-values.js'
import type { JsonObject } from '../../../schema/json.js'
import { formatMoney, type Minor, moneyWithCurrency } from '../../../schema/money.js'
import type { ConsoleAnswer, ConsoleRequest } from '../console-page.js'
import type { ShownFact } from '../elements/facts.js'
import { fieldLabel } from '../elements/value.js'
import type { OpenedWrite } from '../write/console-write.js'
import { allows } from './read-payment.js'
import { headingOf } from './transaction-html.js'

/** A payment, with the facts that forms about it need. */
export interface WrittenPayment {
  readonly id: string
  readonly transaction: JsonObject
  readonly explanation: JsonObject
  /** Minor units that can still be refunded. */
  readonly left: Minor
  readonly method: string
  readonly merchant: string
}

/** Reads a payment and opens a write about it. */
export async function openPaymentWrite(
  request: ConsoleRequest,
  id: string,
  opened: (payment: WrittenPayment) => OpenedWrite,
): Promise<OpenedWrite | ConsoleAnswer> {
  const explained = await request.ask('GET', '/admin/explain', { query: [['transaction_id', id]] })
  if (explained.status !== 200) return { kind: 'refused', answer: explained }
  const answer = await request.ask('GET', `/transactions/${encodeURIComponent(id)}`, {
    query: [['fields', '*,customer[name],processing[name]']],
  })
  if (answer.status !== 200) return { kind: 'refused', answer }
  const { body: transaction } = answer
  const { body: explanation } = explained
  const method = objectIn(transaction, 'payment_method')
  return opened({
    id,
    transaction,
    explanation,
    left: minorIn(explanation, 'refundable') ?? 0,
    method: answeredText(method, 'description') ?? 'the method of the payer',
    merchant: answeredText(objectIn(transaction, 'processing'), 'name') ?? 'the merchant',
  })
}

/** The parts that all writes of a payment share. */
export function writeOfPayment(payment: WrittenPayment, label: string) {
  const { id, transaction } = payment
  const heading = headingOf(transaction)
  return {
    heading: `${label} the ${heading.charAt(0).toLowerCase()}${heading.slice(1)}`,
    label,
    back: { label: 'Back to the payment', path: ['transactions', id] },
    facts: factsOf(payment),
    state: stateOf(payment),
    seen: `/transactions/${id}`,
  }
}

function factsOf({ transaction, method, merchant, left, explanation }: WrittenPayment): readonly ShownFact[] {
  const payer =
    answeredText(objectIn(transaction, 'customer'), 'name') ??
    answeredText(objectIn(transaction, 'payment_method'), 'account_holder')
  return [
    ['Payer', payer],
    ['Method', method],
    ['Merchant', merchant],
    ['Order number', answeredText(transaction, 'order_number')],
    ['Status', fieldLabel(answeredText(transaction, 'status') ?? '')],
    ['Can be refunded', allows(explanation, 'refund') ? moneyWithCurrency(left) : undefined],
  ]
}

/** The part of the state that decides about the next action. */
function stateOf({ transaction, left }: WrittenPayment): string {
  return `${answeredText(transaction, 'status')}, ${formatMoney(left)} left`
}
