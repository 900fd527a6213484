import { resources } from '../../../resources/resource-table.js'
import type { JsonObject } from '../../terminal/client/client.js'
import { has, isObject } from '../../terminal/input/body.js'
import {
  type Fact,
  fill,
  offer,
  type WizardPlan,
  type WizardQuestions,
} from '../../terminal/wizard/wizard-questions.js'
import { askDestination, askPayer, partyFacts } from './account-choice.js'
import { askLines, type Lines, shownLines } from './lines.js'
import { textOf } from './lookup.js'

const charges: Lines = { resource: resources.billing_charge, name: 'charges', noun: 'charge', preset: {} }

/** Days to prompt for, by frequency; for other frequencies, they follow from the first day. */
const DAYS: Readonly<Record<string, readonly string[]>> = {
  monthly: ['monthly.billing_day'],
  bimonthly: ['bimonthly.first_billing_day', 'bimonthly.second_billing_day'],
  annually: ['annually.billing_month', 'annually.billing_day'],
}

/** Meanings of the interface's words for frequencies. */
const FREQUENCIES: Readonly<Record<string, string>> = {
  daily: 'every day',
  weekly: 'every week',
  biweekly: 'every two weeks',
  bimonthly: 'twice a month',
  monthly: 'every month',
  quarterly: 'every quarter',
  annually: 'every year',
}

/** Prompts for payer, frequency, dates and charges. */
export async function billingScheduleWizard(
  questions: WizardQuestions,
  body: JsonObject,
): Promise<WizardPlan> {
  await askPayer(questions, body)
  await askDestination(questions, body, true)
  await offer(questions, body, 'description', { message: 'what for (Enter for none):' })
  await fill(questions, body, 'recurring_frequency', { message: 'how often', names: FREQUENCIES })
  await askDays(questions, body)
  await offer(questions, body, 'start_date', { message: 'first day, YYYY-MM-DD (Enter for today):' })
  await offer(questions, body, 'end_date', { message: 'last day, YYYY-MM-DD (Enter for none):' })
  await askLines(questions, body, charges)
  return {
    facts: [...(await partyFacts(questions, body)), ...factsOf(body)],
    lines: ['', ...shownLines(questions, body.charges)],
    question: 'Create this billing schedule?',
    moves: false,
  }
}

/** Prompts for the billing days. Omitting the first day omits the others. */
async function askDays(questions: WizardQuestions, body: JsonObject): Promise<void> {
  const [first, ...more] = DAYS[textOf(body.recurring_frequency)] ?? []
  if (first === undefined) return
  await offer(questions, body, first, { message: `${rangeOf(first)} (Enter for that of the first day):` })
  if (!has(body, first.split('.'))) return
  for (const path of more) await fill(questions, body, path, { message: `${rangeOf(path)}:` })
}

function factsOf(body: JsonObject): Fact[] {
  const frequency = textOf(body.recurring_frequency)
  const group = body[frequency]
  const days = isObject(group) ? Object.entries(group) : []
  return [
    ['for', textOf(body.description)],
    [
      'how often',
      [
        FREQUENCIES[frequency] ?? frequency,
        ...days.map(([name, day]) => `${name.replaceAll('_', ' ')} ${day}`),
      ].join(', '),
    ],
    ['first day', textOf(body.start_date) || 'today'],
    ['last day', textOf(body.end_date)],
  ]
}

/** Label of a billing day or month: `billing day, 1-31` */
function rangeOf(path: string): string {
  const words = (path.split('.').at(-1) ?? path).replaceAll('_', ' ')
  return `${words}, ${words.endsWith('month') ? '1-12' : '1-31'}`
}
