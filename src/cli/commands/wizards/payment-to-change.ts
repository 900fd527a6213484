import { moneyWithCurrency } from '../../../schema/money.js'
import type { QueryPair } from '../../terminal/client/client.js'
import type { ChosenObject, WizardQuestions } from '../../terminal/wizard/wizard-questions.js'
import { textOf } from './lookup.js'
import { choosePaymentOf, methodName, minorOf, nameOf } from './payment.js'

/** Queries for payments that can be captured or voided, with the error text if no payment matches. */
const CHANGES: Readonly<
  Record<'capture' | 'void', { readonly query: readonly QueryPair[]; readonly missing: string }>
> = {
  capture: { query: [['status', 'authorized']], missing: 'no authorized payment' },
  void: {
    query: [
      ['status', 'authorized|processed'],
      ['funding_status', 'pending|null'],
    ],
    missing: 'no payment that can still be voided',
  },
}

/** Prompts for the payment to capture or void. */
export async function paymentToChange(
  questions: WizardQuestions,
  change: 'capture' | 'void',
): Promise<ChosenObject> {
  const { query, missing } = CHANGES[change]
  const payment = await choosePaymentOf(questions, query, missing)
  return {
    id: textOf(payment.id),
    plan: {
      facts: [
        [change, moneyWithCurrency(minorOf(payment.amount))],
        ['payment', textOf(payment.id), () => undefined],
        ['by', [methodName(payment), nameOf(payment.customer)].filter(Boolean).join(', ')],
      ],
      question: `${change === 'void' ? 'Void' : 'Capture'} this?`,
      moves: true,
    },
  }
}
