import { cardBrand } from '../../../schema/card-brand.js'
import { describeBankAccount, describeCard } from '../../../schema/method-description.js'
import { moneyWithCurrency } from '../../../schema/money.js'
import type { JsonObject } from '../../terminal/client/client.js'
import { ifAllowed } from '../../terminal/failure/failure.js'
import { drop, has, isObject, put } from '../../terminal/input/body.js'
import {
  type Fact,
  fill,
  formFact,
  formFacts,
  offer,
  type WizardPlan,
  type WizardQuestions,
} from '../../terminal/wizard/wizard-questions.js'
import { askDestination, chooseCustomer, expectPayable, partyFacts } from './account-choice.js'
import { choicesOf, textOf } from './lookup.js'
import { minorOf } from './payment.js'

const METHOD = 'payment_method'
const CARD = 'payment_method.card'
const BANK = 'payment_method.bank_account'
/** Optional attributes of a payment method, each of which has its own line in the plan. */
const DETAILS = [
  'card.card_code',
  'account_holder',
  'billing_address.street_address',
  'billing_address.postal_code',
]

/** Prompts for amount, payment method and destination. */
export async function payWizard(questions: WizardQuestions, body: JsonObject): Promise<WizardPlan> {
  await expectPayable(questions, body)
  await fill(questions, body, 'amount')
  await askMethod(questions, body)
  await askDestination(questions, body)
  await offer(questions, body, 'description')
  const authorizes = body.status === 'authorized'
  return {
    facts: await factsOf(questions, body),
    question: authorizes ? 'Authorize this payment?' : 'Take this payment?',
    moves: true,
  }
}

/** Prompts for the payment method, or for its missing attributes. */
export async function askMethod(questions: WizardQuestions, body: JsonObject): Promise<void> {
  const { answered, isResumed, prompts } = questions
  if (has(body, [METHOD, 'type'])) {
    await askDetails(questions, body)
    if (isResumed || answered.has(body, METHOD)) await offerDetails(questions, body)
  } else if (!has(body, ['payment_method_id']) && !has(body, ['customer_id'])) {
    const kind = await prompts.choose('pay with', [
      { name: 'a card', value: 'card' },
      { name: 'a bank account', value: 'bank_account' },
      { name: 'what a customer has saved', value: 'saved' },
    ])
    if (kind === 'saved') return await askSaved(questions, body)
    await askDestination(questions, body)
    await expectPayable(questions, body)
    put(body, [METHOD, 'type'], kind)
    answered.add(body, METHOD)
    await askDetails(questions, body)
    await offerDetails(questions, body)
  }
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
    await fill(questions, body, `${CARD}.expiry`, { now: await questions.now() })
  } else {
    await fill(questions, body, `${BANK}.routing_number`)
    await fill(questions, body, `${BANK}.account_number`)
    await fill(questions, body, `${BANK}.account_type`)
  }
}

async function askSaved(questions: WizardQuestions, body: JsonObject): Promise<void> {
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
}

async function factsOf(questions: WizardQuestions, body: JsonObject): Promise<Fact[]> {
  return [
    formFact(questions, body, 'amount', moneyWithCurrency(minorOf(body.amount))),
    ...(await methodFacts(questions, body)),
    ...(await partyFacts(questions, body)),
    formFact(questions, body, 'description'),
    formFact(questions, body, 'order_number'),
  ]
}

/** Facts about the payment method and its optional attributes. Changing the method clears all of them. */
export async function methodFacts(questions: WizardQuestions, body: JsonObject): Promise<readonly Fact[]> {
  const { answered, descriptions } = questions
  const details = descriptions.filter(
    ({ path: [first, ...rest] }) => first === METHOD && DETAILS.includes(rest.join('.')),
  )
  const forget = () => {
    for (const name of [METHOD, 'payment_method_id', 'customer_id']) {
      drop(body, [name])
      answered.reopen(body, name)
    }
  }
  return [
    ['by', await describedMethod(questions, body), forget],
    ...formFacts({ ...questions, descriptions: details }, body),
  ]
}

async function describedMethod(questions: WizardQuestions, body: JsonObject): Promise<string> {
  const { type, card, bank_account: bank } = methodOf(body)
  if (type === 'card' && isObject(card)) {
    const digits = textOf(card.card_number).replaceAll(/\D/g, '')
    return `${describeCard(digits, cardBrand(digits))}, expires ${textOf(card.expiry)}`
  }
  if (isObject(bank)) return describeBankAccount(textOf(bank.account_number), textOf(bank.account_type))
  if (!body.payment_method_id) return 'the default method of the customer'
  const id = textOf(body.payment_method_id)
  const [method] = (await ifAllowed(questions.find('/payment_methods', [['id', id]]))) ?? []
  return method ? textOf(method.description) : id
}

function methodOf({ payment_method }: JsonObject): JsonObject {
  return isObject(payment_method) ? payment_method : {}
}
