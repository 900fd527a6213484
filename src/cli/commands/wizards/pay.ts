import { cardBrand } from '../../../schema/card-brand.js'
import { describeBankAccount, describeCard } from '../../../schema/method-description.js'
import { formatMoney } from '../../../schema/money.js'
import type { JsonObject } from '../../terminal/client/client.js'
import { has, isObject, put } from '../../terminal/input/body.js'
import { type Asking, type Fact, fill, offer, type Plan } from '../../terminal/wizard/asking.js'
import { askDestination, chooseCustomer, partyFacts } from './account-choice.js'
import { choicesOf, textOf } from './lookup.js'
import { minorOf } from './payment.js'

const CARD = 'payment_method.card'
const BANK = 'payment_method.bank_account'

/** Asks how much is paid, by what, and where it goes. */
export async function payWizard(asking: Asking, body: JsonObject): Promise<Plan> {
  await fill(asking, body, 'amount')
  const saved = await askMethod(asking, body)
  await askDestination(asking, body)
  await offer(asking, body, 'description', { message: 'what for (Enter for none):' })
  const authorizes = body.status === 'authorized'
  return {
    facts: await factsOf(asking, body, saved),
    question: authorizes ? 'Authorize this payment?' : 'Take this payment?',
    moves: true,
  }
}

/** Asks for the method, or for what is missing of it. Gives the name of a saved one. */
async function askMethod(asking: Asking, body: JsonObject): Promise<string | undefined> {
  if (has(body, ['payment_method', 'type'])) await askDetails(asking, body)
  else if (!has(body, ['payment_method_id']) && !has(body, ['customer_id'])) {
    const kind = await asking.prompts.choose('pay with', [
      { name: 'a card', value: 'card' },
      { name: 'a bank account', value: 'bank_account' },
      { name: 'what a customer has saved', value: 'saved' },
    ])
    if (kind === 'saved') return await askSaved(asking, body)
    put(body, ['payment_method', 'type'], kind)
    await askDetails(asking, body)
    if (kind === 'card') await offer(asking, body, `${CARD}.card_code`, { message: 'CVV (Enter for none):' })
    await offer(asking, body, 'payment_method.account_holder', { message: 'holder (Enter for none):' })
    if (kind === 'card') await offer(asking, body, 'payment_method.billing_address.postal_code')
  }
  return undefined
}

async function askDetails(asking: Asking, body: JsonObject): Promise<void> {
  if (methodOf(body).type === 'card') {
    await fill(asking, body, `${CARD}.card_number`)
    await fill(asking, body, `${CARD}.expiry`, { message: 'expiry, MM/YY:', now: await asking.now() })
  } else {
    await fill(asking, body, `${BANK}.account_number`)
    await fill(asking, body, `${BANK}.routing_number`)
    await fill(asking, body, `${BANK}.account_type`)
  }
}

async function askSaved(asking: Asking, body: JsonObject): Promise<string | undefined> {
  const customer = await chooseCustomer(asking)
  body.customer_id = customer.id ?? null
  const methods = await asking.find('/payment_methods', [['account_id', textOf(customer.id)]])
  if (methods.length === 0) {
    asking.say(`${textOf(customer.name)} has saved no payment method.`)
    delete body.customer_id
    return await askMethod(asking, body)
  }
  const choices = choicesOf(asking, methods, {
    row: ({ description, default_payment_method: first, card }) => [
      { text: textOf(description) },
      { text: isObject(card) ? `expires ${textOf(card.expiry)}` : '' },
      { text: first === true ? 'default' : '' },
    ],
    short: ({ description }) => textOf(description),
  })
  const method = await asking.prompts.choose('payment method', choices)
  body.payment_method_id = method.id ?? null
  return textOf(method.description)
}

async function factsOf(asking: Asking, body: JsonObject, saved: string | undefined): Promise<Fact[]> {
  return [
    ['amount', formatMoney(minorOf(body.amount))],
    ['by', saved ?? describedMethod(body)],
    ...(await partyFacts(asking, body)),
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
