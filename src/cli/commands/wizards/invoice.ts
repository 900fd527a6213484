import { resources } from '../../../resources/index.js'
import type { JsonObject } from '../../terminal/client/client.js'
import { type Asking, offer, type Plan } from '../../terminal/wizard/asking.js'
import { askDestination, askPayer, partyFacts } from './account-choice.js'
import { askLines, type Lines, shownLines } from './lines.js'
import { textOf } from './lookup.js'

const items: Lines = {
  resource: resources.line_item,
  name: 'items',
  noun: 'line item',
  preset: { entry_type: 'charge' },
}

/** Asks who owes, until when, and for what. */
export async function invoiceWizard(asking: Asking, body: JsonObject): Promise<Plan> {
  await askPayer(asking, body)
  await askDestination(asking, body)
  await offer(asking, body, 'description')
  await offer(asking, body, 'due_date', { message: 'due date, YYYY-MM-DD (Enter for none):' })
  await askLines(asking, body, items)
  return {
    facts: [
      ...(await partyFacts(asking, body)),
      ['for', textOf(body.description)],
      ['due', textOf(body.due_date)],
    ],
    lines: ['', ...shownLines(asking, body.items)],
    question: 'Create this invoice?',
    moves: false,
  }
}
