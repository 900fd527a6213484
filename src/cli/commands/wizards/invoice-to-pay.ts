import { moneyWithCurrency } from '../../../schema/money.js'
import type { JsonObject } from '../../terminal/client/client.js'
import { UsageError } from '../../terminal/failure/failure.js'
import type { WizardQuestions } from '../../terminal/wizard/wizard-questions.js'
import { choicesOf, type Lookup, lookUp, textOf } from './lookup.js'
import { minorOf, nameOf } from './payment.js'

const unpaid: Lookup = {
  path: '/invoices',
  query: [
    ['status', 'pending|overdue|partially_paid'],
    ['amount_due', '>0'],
    ['fields', '*,customer'],
  ],
  searched: ['id', 'description', 'customer[name]'],
}

/** Prompts for an invoice with an amount due. Throws a `UsageError` if there is none. */
export async function chooseInvoice(questions: WizardQuestions): Promise<JsonObject> {
  if ((await lookUp(questions, unpaid, '')).length === 0)
    throw new UsageError('Nothing is due on any invoice; payctl invoices list shows them all')
  return await questions.prompts.search('invoice (type to search):', async (term) =>
    choicesOf(questions, await lookUp(questions, unpaid, term), {
      row: ({ amount_due: due, due_date: date, status, customer, description, id }) => [
        { text: textOf(date) },
        { text: moneyWithCurrency(minorOf(due)), align: 'right' },
        { text: textOf(status).replaceAll('_', ' ') },
        { text: [nameOf(customer), textOf(description)].filter(Boolean).join(', ') || textOf(id) },
      ],
      short: ({ id, amount_due: due }) => `${textOf(id)}, ${moneyWithCurrency(minorOf(due))} due`,
    }),
  )
}
