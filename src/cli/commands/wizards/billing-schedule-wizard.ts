import type { BillingScheduleRow } from '../../../engine/store/database/tables.js'
import { resources } from '../../../resources/resource-table.js'
import type { JsonObject } from '../../terminal/client/client.js'
import { drop, has, isObject } from '../../terminal/input/body.js'
import {
  type Fact,
  fill,
  formFact,
  offer,
  type WizardPlan,
  type WizardQuestions,
} from '../../terminal/wizard/wizard-questions.js'
import { askDestination, askPayer, partyFacts } from './account-choice.js'
import { askLines, type Lines, linesFact, shownLines } from './lines.js'
import { textOf } from './lookup.js'

const charges: Lines = { resource: resources.billing_charge, name: 'charges', noun: 'charge', preset: {} }

/**
 * Attributes of billing days that the wizard prompts for, by frequency. For other frequencies, the first day determines
 * all billing days.
 */
const DAYS: Readonly<Record<string, readonly string[]>> = {
  monthly: ['monthly.billing_day'],
  bimonthly: ['bimonthly.first_billing_day', 'bimonthly.second_billing_day'],
  annually: ['annually.billing_month', 'annually.billing_day'],
}

/** Explanations of the frequencies, by their names in the API. */
const FREQUENCIES: Readonly<Record<string, string>> = {
  daily: 'every day',
  weekly: 'every week',
  biweekly: 'every two weeks',
  bimonthly: 'twice a month',
  monthly: 'every month',
  quarterly: 'every quarter',
  annually: 'every year',
} satisfies Record<NonNullable<BillingScheduleRow['recurring_frequency']>, string>

/** Prompts for payer, frequency, dates and charges. */
export async function billingScheduleWizard(
  questions: WizardQuestions,
  body: JsonObject,
): Promise<WizardPlan> {
  await askPayer(questions, body)
  await askDestination(questions, body, true)
  await offer(questions, body, 'description')
  await fill(questions, body, 'recurring_frequency', { names: FREQUENCIES })
  await askDays(questions, body)
  await offer(questions, body, 'start_date', { none: 'today' })
  await offer(questions, body, 'end_date')
  await askLines(questions, body, charges)
  return {
    facts: [...(await partyFacts(questions, body)), ...factsOf(questions, body)],
    lines: ['', ...shownLines(questions, body.charges)],
    question: 'Create this billing schedule?',
    moves: false,
  }
}

/** Prompts for the billing days. If the operator omits the first day, there are no prompts for the other days. */
async function askDays(questions: WizardQuestions, body: JsonObject): Promise<void> {
  const [first, ...more] = DAYS[textOf(body.recurring_frequency)] ?? []
  if (first === undefined) return
  await offer(questions, body, first, { none: 'that of the first day' })
  if (!has(body, first.split('.'))) return
  for (const path of more) await fill(questions, body, path)
}

function factsOf(questions: WizardQuestions, body: JsonObject): Fact[] {
  const frequency = textOf(body.recurring_frequency)
  const group = body[frequency]
  const days = isObject(group) ? Object.entries(group) : []
  return [
    formFact(questions, body, 'description'),
    [
      'how often',
      [
        FREQUENCIES[frequency] ?? frequency,
        ...days.map(([name, day]) => `${name.replaceAll('_', ' ')} ${day}`),
      ].join(', '),
      () => {
        for (const name of ['recurring_frequency', frequency]) {
          drop(body, [name])
          questions.answered.reopen(body, name)
        }
      },
    ],
    formFact(questions, body, 'start_date', textOf(body.start_date) || 'today'),
    formFact(questions, body, 'end_date'),
    linesFact(questions, body, charges),
  ]
}
