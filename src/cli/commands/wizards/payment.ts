import { formatMoney, type Minor, moneyWithCurrency, parseMoney } from '../../../schema/money.js'
import type { Json, JsonObject, QueryPair } from '../../terminal/client/client.js'
import { UsageError } from '../../terminal/failure/failure.js'
import { isObject } from '../../terminal/input/body.js'
import type { Choice } from '../../terminal/prompts.js'
import type { WizardQuestions } from '../../terminal/wizard/wizard-questions.js'
import { choicesOf, type Lookup, lookUp, textOf } from './lookup.js'

/** A payment, with the amount that can be refunded, in minor units. */
export interface Refundable {
  readonly payment: JsonObject
  readonly left: Minor
}

const FIELDS = '*,ledger,customer'

const payments: Lookup = {
  path: '/transactions',
  query: [
    ['type', 'payment'],
    ['status', 'processed'],
    ['funding_status', '!refunded'],
    ['fields', FIELDS],
  ],
  searched: [
    'id',
    'description',
    'order_number',
    'ref_number',
    'payment_method[description]',
    'customer[name]',
  ],
  equal: (term) => {
    const minor = parseMoney(term)
    return minor === undefined ? undefined : ['amount', formatMoney(minor)]
  },
}

/** Types of ledger entries that change the refundable amount of a payment. */
const CHANGING: readonly unknown[] = ['refund', 'chargeback', 'chargeback_reversal']

/** Prompts for a payment that can be refunded. */
export async function choosePayment(questions: WizardQuestions): Promise<Refundable> {
  await requireSome(questions, payments, 'no payment of which anything can be refunded')
  return await questions.prompts.search('payment (type to search):', async (term) => {
    const found = await lookUp(questions, payments, term)
    return paymentChoices(questions, found.map(refundableOf))
  })
}

/** Prompts for a payment that matches the query. Throws a `UsageError` if there is none. */
export async function choosePaymentOf(
  questions: WizardQuestions,
  query: readonly QueryPair[],
  missing: string,
): Promise<JsonObject> {
  const lookup = { ...payments, query: [['type', 'payment'], ['fields', FIELDS], ...query] } as const
  await requireSome(questions, lookup, missing)
  const { payment } = await questions.prompts.search('payment (type to search):', async (term) => {
    const found = await lookUp(questions, lookup, term)
    return paymentChoices(questions, found.map(refundableOf))
  })
  return payment
}

/** Throws a `UsageError`, with the command that lists, if the list would be empty. */
async function requireSome(questions: WizardQuestions, lookup: Lookup, missing: string): Promise<void> {
  const found = await questions.find(lookup.path, [...lookup.query, ['limit', '1']])
  if (found.length === 0)
    throw new UsageError(`There is ${missing}; payctl transactions list shows what there is`)
}

/** The payment with an id; undefined if there is none. */
export async function paymentOf(questions: WizardQuestions, id: string): Promise<Refundable | undefined> {
  const [payment] = await questions.find('/transactions', [
    ['id', id],
    ['fields', FIELDS],
  ])
  return payment && refundableOf(payment)
}

export function refundableOf(payment: JsonObject): Refundable {
  const entries = Array.isArray(payment.ledger) ? payment.ledger.filter(isObject) : []
  const taken = entries.filter(({ entry_type }) => CHANGING.includes(entry_type))
  const left = taken.reduce((sum, { amount }) => sum + minorOf(amount), minorOf(payment.amount))
  return { payment, left }
}

function paymentChoices(
  questions: WizardQuestions,
  all: readonly Refundable[],
): readonly Choice<Refundable>[] {
  return choicesOf(
    questions,
    all.filter(({ left }) => left > 0),
    {
      row: ({ payment, left }) => [
        { text: textOf(payment.created_at).slice(0, 10) },
        { text: moneyWithCurrency(minorOf(payment.amount)), align: 'right' },
        { text: left === minorOf(payment.amount) ? '' : `${moneyWithCurrency(left)} left`, align: 'right' },
        { text: methodName(payment), isWhole: true },
        {
          text: [nameOf(payment.customer), orderOf(payment), textOf(payment.description)]
            .filter(Boolean)
            .join(', '),
        },
      ],
      short: ({ payment }) => `${moneyWithCurrency(minorOf(payment.amount))} by ${methodName(payment)}`,
    },
  )
}

/** The name of a transaction's method: `Visa ending in 4242`. */
export function methodName({ payment_method }: JsonObject): string {
  return isObject(payment_method) ? textOf(payment_method.description) : ''
}

function orderOf({ order_number: number }: JsonObject): string {
  return number ? `order ${textOf(number)}` : ''
}

export function nameOf(account: Json | undefined): string {
  return isObject(account) ? textOf(account.name) : ''
}

export function minorOf(amount: Json | undefined): Minor {
  return (typeof amount === 'number' && parseMoney(amount)) || 0
}
