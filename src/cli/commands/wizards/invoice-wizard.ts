import { resources } from '../../../resources/resource-table.js'
import type { JsonObject } from '../../terminal/client/client.js'
import {
  formFact,
  offer,
  type WizardPlan,
  type WizardQuestions,
} from '../../terminal/wizard/wizard-questions.js'
import { askDestination, askPayer, partyFacts } from './account-choice.js'
import { askLines, type Lines, linesFact, shownLines } from './lines.js'

const items: Lines = {
  resource: resources.line_item,
  name: 'items',
  noun: 'line item',
  preset: { entry_type: 'charge' },
}

/** Prompts for payer, due date and line items. */
export async function invoiceWizard(questions: WizardQuestions, body: JsonObject): Promise<WizardPlan> {
  await askPayer(questions, body)
  await askDestination(questions, body)
  await offer(questions, body, 'description')
  await offer(questions, body, 'due_date')
  await askLines(questions, body, items)
  return {
    facts: [
      ...(await partyFacts(questions, body)),
      formFact(questions, body, 'description'),
      formFact(questions, body, 'due_date'),
      linesFact(questions, body, items),
    ],
    lines: ['', ...shownLines(questions, body.items)],
    question: 'Create this invoice?',
    moves: false,
  }
}
