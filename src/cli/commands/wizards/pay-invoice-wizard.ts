import { formatMoney, moneyWithCurrency } from '../../../schema/money.js'
import type { JsonObject } from '../../terminal/client/client.js'
import { drop, has } from '../../terminal/input/body.js'
import { fill, type Wizard, type WizardQuestions } from '../../terminal/wizard/wizard-questions.js'
import { textOf } from './lookup.js'
import { askMethod, methodFacts } from './pay-wizard.js'
import { minorOf, nameOf } from './payment.js'

/**
 * Key under which the answer "the customer's default method" is remembered. No attribute of the body stands for this
 * answer.
 */
const DEFAULT = 'payment_method.default'

function isMethodKnown({ answered }: WizardQuestions, body: JsonObject): boolean {
  return has(body, ['payment_method']) || has(body, ['payment_method_id']) || answered.has(body, DEFAULT)
}

/** Prompts for the amount to pay on an invoice, and for the payment method. */
export function payInvoiceWizard(invoice: JsonObject): Wizard {
  const due = minorOf(invoice.amount_due)
  return async (questions, body) => {
    const { answered, prompts } = questions
    await fill(questions, body, 'amount', {
      message: `amount (${formatMoney(due)} due):`,
      otherwise: formatMoney(due),
      refuse: (value) => (minorOf(value) > due ? `Only ${formatMoney(due)} is due` : undefined),
    })
    const payer = nameOf(invoice.customer) || 'the customer'
    if (!isMethodKnown(questions, body)) {
      const isDefault = await prompts.choose('pay with', [
        { name: `the default payment method of ${payer}`, value: true },
        { name: 'another one', value: false },
      ])
      if (isDefault) answered.add(body, DEFAULT)
    }
    if (!answered.has(body, DEFAULT)) await askMethod(questions, body)
    return {
      facts: [
        [
          'amount',
          moneyWithCurrency(minorOf(body.amount)),
          () => {
            drop(body, ['amount'])
            answered.reopen(body, 'amount')
          },
        ],
        ['of', `${moneyWithCurrency(due)} due on ${textOf(invoice.id)}`],
        ...(await methodFacts(questions, body)),
        ['from', payer],
        ['for', textOf(invoice.description)],
      ],
      question: body.status === 'authorized' ? 'Authorize this payment?' : 'Take this payment?',
      moves: true,
    }
  }
}
