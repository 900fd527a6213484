import { type Minor, moneyWithCurrency, parseMoney } from '../../../schema/money.js'
import type { Json, JsonObject, QueryPair } from '../../terminal/client/client.js'
import { UsageError } from '../../terminal/failure/failure.js'
import { isObject } from '../../terminal/input/body.js'
import type { Choice } from '../../terminal/prompts/prompts.js'
import type { WizardQuestions } from '../../terminal/wizard/wizard-questions.js'
import { findTransactions } from './find-words.js'
import { choicesOf, textOf } from './lookup.js'

/** A payment, with the amount that can be refunded, in minor units. */
export interface Refundable {
  readonly payment: JsonObject
  readonly left: Minor
}

const FIELDS = '*,ledger,customer'

/** Maximum number of payments that a prompt offers; typing narrows the list. */
const MAX_ROWS = 50

const REFUNDABLE: readonly QueryPair[] = [
  ['status', 'processed'],
  ['funding_status', '!refunded'],
]

/** Types of ledger entries that change the refundable amount of a payment. */
const CHANGING: readonly unknown[] = ['refund', 'chargeback', 'chargeback_reversal']

/** Prompts for a payment that can be refunded. */
export async function choosePayment(questions: WizardQuestions): Promise<Refundable> {
  return await searchPayments(questions, REFUNDABLE, 'no payment of which anything can be refunded')
}

/** Prompts for a payment that matches the query. Throws a `UsageError` if there is none. */
export async function choosePaymentOf(
  questions: WizardQuestions,
  query: readonly QueryPair[],
  missing: string,
): Promise<JsonObject> {
  return (await searchPayments(questions, query, missing)).payment
}

/** Prompts for a payment, which is searched by words as in `transactions find`. */
async function searchPayments(
  questions: WizardQuestions,
  query: readonly QueryPair[],
  missing: string,
): Promise<Refundable> {
  const now = await questions.now()
  const find = (more: readonly QueryPair[]) =>
    questions.find('/transactions', [['type', 'payment'], ...query, ['fields', FIELDS], ...more])
  if ((await find([['limit', '1']])).length === 0)
    throw new UsageError(`There is ${missing}; payctl transactions list shows what there is`)
  return await questions.prompts.search('payment (type to search):', async (term) => {
    const words = term.split(/\s+/).filter((word) => word !== '')
    const found = await findTransactions(words, MAX_ROWS, { find, now })
    return paymentChoices(questions, found.map(refundableOf))
  })
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

/** Description of a transaction's payment method, such as `Visa ending in 4242`. */
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
