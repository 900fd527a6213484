import { formatMoney, moneyWithCurrency } from '../../../schema/money.js'
import type { JsonObject } from '../../terminal/client/client.js'
import { UsageError } from '../../terminal/failure/failure.js'
import { drop, isObject } from '../../terminal/input/body.js'
import {
  type Fact,
  fill,
  formFact,
  offer,
  type WizardPlan,
  type WizardQuestions,
} from '../../terminal/wizard/wizard-questions.js'
import { textOf } from './lookup.js'
import { choosePayment, methodName, minorOf, nameOf, paymentOf, type Refundable } from './payment.js'

const WHY = { message: 'why (Enter for none):' }

/** Prompts for the payment to refund, the amount and the reason. */
export async function refundWizard(questions: WizardQuestions, body: JsonObject): Promise<WizardPlan> {
  const { payment, left } = await chosenPayment(questions, body)
  body.ledger = [{ assoc_transaction_id: payment.id ?? null }]
  const all = formatMoney(left)
  await fill(questions, body, 'amount', {
    message: `amount (${all} left):`,
    otherwise: all,
    refuse: (value) => (minorOf(value) > left ? `Only ${all} is left` : undefined),
  })
  await offer(questions, body, 'description', WHY)
  return { facts: factsOf(questions, body, { payment, left }), question: 'Refund this?', moves: true }
}

/** Id of the payment in the body of a refund; undefined if there is none. */
export function refundedId({ ledger }: JsonObject): string | undefined {
  const [entry] = Array.isArray(ledger) ? ledger : []
  return isObject(entry) ? textOf(entry.assoc_transaction_id) : undefined
}

async function chosenPayment(questions: WizardQuestions, body: JsonObject): Promise<Refundable> {
  const id = refundedId(body)
  if (id === undefined) return await choosePayment(questions)
  const found = await paymentOf(questions, id)
  if (!found) throw new UsageError(`There is no payment ${id}`)
  return found
}

function factsOf(questions: WizardQuestions, body: JsonObject, { payment, left }: Refundable): Fact[] {
  const amount = minorOf(body.amount)
  return [
    ['refund', moneyWithCurrency(amount), formFact(questions, body, 'amount')[2]],
    [
      'of',
      `${moneyWithCurrency(minorOf(payment.amount))} paid on ${textOf(payment.created_at).slice(0, 10)}`,
    ],
    ['payment', textOf(payment.id), () => drop(body, ['ledger'])],
    ['to', [methodName(payment), nameOf(payment.customer)].filter(Boolean).join(', ')],
    ['left then', moneyWithCurrency(left - amount)],
    ['why', textOf(body.description), formFact(questions, body, 'description')[2]],
  ]
}
