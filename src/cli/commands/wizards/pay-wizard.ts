import { cardBrand } from '../../../schema/card-brand.js'
import { describeBankAccount, describeCard } from '../../../schema/method-description.js'
import { moneyWithCurrency } from '../../../schema/money.js'
import type { JsonObject } from '../../terminal/client/client.js'
import { has, isObject, put } from '../../terminal/input/body.js'
import {
  type Fact,
  fill,
  offer,
  type WizardPlan,
  type WizardQuestions,
} from '../../terminal/wizard/wizard-questions.js'
import { askDestination, chooseCustomer, partyFacts } from './account-choice.js'
import { choicesOf, textOf } from './lookup.js'
import { minorOf } from './payment.js'

const CARD = 'payment_method.card'
const BANK = 'payment_method.bank_account'

/** Prompts for amount, payment method and destination. */
export async function payWizard(questions: WizardQuestions, body: JsonObject): Promise<WizardPlan> {
  await fill(questions, body, 'amount')
  const saved = await askMethod(questions, body)
  await askDestination(questions, body)
  await offer(questions, body, 'description', { message: 'what for (Enter for none):' })
  const authorizes = body.status === 'authorized'
  return {
    facts: await factsOf(questions, body, saved),
    question: authorizes ? 'Authorize this payment?' : 'Take this payment?',
    moves: true,
  }
}

/** Prompts for the payment method, or for its missing attributes. Returns the name of a saved method. */
async function askMethod(questions: WizardQuestions, body: JsonObject): Promise<string | undefined> {
  if (has(body, ['payment_method', 'type'])) {
    await askDetails(questions, body)
    if (questions.isResumed) await offerDetails(questions, body)
  } else if (!has(body, ['payment_method_id']) && !has(body, ['customer_id'])) {
    const kind = await questions.prompts.choose('pay with', [
      { name: 'a card', value: 'card' },
      { name: 'a bank account', value: 'bank_account' },
      { name: 'what a customer has saved', value: 'saved' },
    ])
    if (kind === 'saved') return await askSaved(questions, body)
    put(body, ['payment_method', 'type'], kind)
    await askDetails(questions, body)
    await offerDetails(questions, body)
  }
  return undefined
}

async function offerDetails(questions: WizardQuestions, body: JsonObject): Promise<void> {
  const isCard = methodOf(body).type === 'card'
  if (isCard) await offer(questions, body, `${CARD}.card_code`)
  await offer(questions, body, 'payment_method.account_holder', {
    message: `${isCard ? 'name on the card' : 'name of the holder'} (Enter for none):`,
  })
  if (isCard) await offer(questions, body, 'payment_method.billing_address.postal_code')
}

async function askDetails(questions: WizardQuestions, body: JsonObject): Promise<void> {
  if (methodOf(body).type === 'card') {
    await fill(questions, body, `${CARD}.card_number`)
    await fill(questions, body, `${CARD}.expiry`, { message: 'expiry, MM/YY:', now: await questions.now() })
  } else {
    await fill(questions, body, `${BANK}.routing_number`)
    await fill(questions, body, `${BANK}.account_number`)
    await fill(questions, body, `${BANK}.account_type`, { message: 'kind of account' })
  }
}

async function askSaved(questions: WizardQuestions, body: JsonObject): Promise<string | undefined> {
  const customer = await chooseCustomer(questions)
  const methods = await questions.find('/payment_methods', [['account_id', textOf(customer.id)]])
  if (methods.length === 0) {
    questions.say(`${textOf(customer.name)} has saved no payment method.`)
    return await askMethod(questions, body)
  }
  const choices = choicesOf(questions, methods, {
    row: ({ description, default_payment_method: first, card }) => [
      { text: textOf(description) },
      { text: isObject(card) ? `expires ${textOf(card.expiry)}` : '' },
      { text: first === true ? 'default' : '' },
    ],
    short: ({ description }) => textOf(description),
  })
  const method = await questions.prompts.choose('payment method', choices)
  body.customer_id = customer.id ?? null
  body.payment_method_id = method.id ?? null
  return textOf(method.description)
}

async function factsOf(
  questions: WizardQuestions,
  body: JsonObject,
  saved: string | undefined,
): Promise<Fact[]> {
  return [
    ['amount', moneyWithCurrency(minorOf(body.amount))],
    ['by', saved ?? describedMethod(body)],
    ...(await partyFacts(questions, body)),
    ['for', textOf(body.description)],
  ]
}

function describedMethod(body: JsonObject): string {
  const { type, card, bank_account: bank } = methodOf(body)
  if (type === 'card' && isObject(card)) {
    const digits = textOf(card.card_number).replaceAll(/\D/g, '')
    return `${describeCard(digits, cardBrand(digits))}, expires ${textOf(card.expiry)}`
  }
  if (isObject(bank)) return describeBankAccount(textOf(bank.account_number), textOf(bank.account_type))
  return body.payment_method_id ? textOf(body.payment_method_id) : 'the default method of the customer'
}

function methodOf({ payment_method }: JsonObject): JsonObject {
  return isObject(payment_method) ? payment_method : {}
}
