import { resources } from '../../../resources/resource-table.js'
import { flagsOf } from '../../../schema/flag-description.js'
import type { Resource } from '../../../schema/resource.js'
import type { Json, JsonObject } from '../../terminal/client/client.js'
import { registry } from '../../terminal/declared-registry.js'
import { has, isObject, put } from '../../terminal/input/body.js'
import {
  type Fact,
  fill,
  offer,
  type Wizard,
  type WizardPlan,
  type WizardQuestions,
} from '../../terminal/wizard/wizard-questions.js'
import { textOf } from './lookup.js'

type Kind = 'customer' | 'processing'

/** An attribute, with the message of its prompt. */
type Question = readonly [path: string, message: string]

const ADDRESS: readonly Question[] = [
  ['street_address', 'street and number:'],
  ['city', 'city:'],
  ['state_province', 'state, as NY:'],
  ['postal_code', 'postal code:'],
]

/** Prompts for a company, its owner and its bank account, in the order of a conversation. */
const COMPANY: readonly Question[] = [
  ['legal_name', 'legal name of the company:'],
  ['type', 'its legal form'],
  ['ein', 'tax id (EIN), 9 digits:'],
  ['state_incorporated', 'state of incorporation, as NY:'],
  ...ADDRESS,
  ['phone_number', 'phone number:'],
]
const OWNER: readonly Question[] = [
  ['full_name', 'full name:'],
  ['title', 'position, as Owner:'],
  ['ownership', 'share of the company, in percent:'],
  ['birth_date', 'date of birth, YYYY-MM-DD:'],
  ['ssn', 'social security number (SSN), 9 digits:'],
  ...ADDRESS,
  ['phone_number', 'phone number:'],
  ['email', 'email:'],
]
const BANK: readonly Question[] = [
  ['bank_account.routing_number', 'routing number of the bank:'],
  ['bank_account.account_number', 'account number:'],
  ['bank_account.account_type', 'kind of account'],
]

/**
 * Prompts for name and contact of an account, and for the requirements of a processing account; also for the kind,
 * unless given.
 */
export function accountWizard(kind?: Kind): Wizard {
  return async (questions, body) => {
    if (kind === undefined && !has(body, ['type'])) body.type = await askKind(questions)
    const isCustomer = (kind ?? body.type) === 'customer'
    await fill(questions, body, 'name')
    await offer(questions, body, 'email')
    await offer(questions, body, 'phone_number')
    if (!isCustomer) {
      await fill(questions, body, 'processing.industry', { message: 'what it sells (industry):' })
      await askRequirements(questions, body)
    }
    return planOf(body, isCustomer ? 'customer' : 'processing account')
  }
}

async function askKind({ prompts }: WizardQuestions): Promise<Kind> {
  return await prompts.choose('what kind of account', [
    { name: 'a customer, who pays', value: 'customer' },
    { name: 'a processing account, which is paid', value: 'processing' },
  ])
}

/**
 * Prompts for the requirements of an account's activation, or leaves them for later; requirements that are begun are
 * completed.
 */
async function askRequirements(questions: WizardQuestions, body: JsonObject): Promise<void> {
  const { isResumed, prompts, say } = questions
  const isBegun = has(body, ['legal_entity']) || has(body, ['payment_methods'])
  if (isBegun && !isResumed && !isPartial(body.legal_entity)) return
  const now =
    isBegun ||
    (await prompts.choose('legal entity, its owner and the bank account', [
      { name: 'later', value: false },
      { name: 'now', value: true },
    ]))
  if (!now) return
  const entity = objectAt(body, 'legal_entity')
  await askInOrder(questions, resources.legal_entity, entity, COMPANY)
  say('  The owner of the legal entity:')
  await askInOrder(questions, resources.legal_entity_owner, firstOf(entity, 'owners'), OWNER)
  say('  The bank account that deposits go to:')
  const method = firstOf(body, 'payment_methods')
  method.type ??= 'bank_account'
  put(method, ['bank_account', 'account_class'], 'business')
  await askInOrder(questions, resources.payment_method, method, BANK)
}

/** Whether a new legal entity lacks prompted attributes. */
function isPartial(entity: Json | undefined): boolean {
  return isObject(entity) && !has(entity, ['id']) && COMPANY.some(([path]) => !has(entity, [path]))
}

/** Prompts for these attributes of a nested object, in this order. */
async function askInOrder(
  questions: WizardQuestions,
  resource: Resource,
  object: JsonObject,
  order: readonly Question[],
): Promise<void> {
  const one = { ...questions, descriptions: flagsOf(registry, resource, 'create') }
  for (const [path, message] of order) await fill(one, object, path, { message })
}

/** The nested object of this name, created if missing, so that it is in the body from its first answer on. */
function objectAt(body: JsonObject, name: string): JsonObject {
  const known = body[name]
  const object: JsonObject = isObject(known) ? known : {}
  body[name] = object
  return object
}

/** The first object of the list of this name, created if missing. */
function firstOf(body: JsonObject, name: string): JsonObject {
  const list = body[name]
  const [known] = Array.isArray(list) ? list : []
  const object: JsonObject = isObject(known) ? known : {}
  if (!isObject(known)) body[name] = [object]
  return object
}

function planOf(body: JsonObject, kind: string): WizardPlan {
  const facts: Fact[] = [
    ['kind', kind],
    ['name', textOf(body.name)],
    ['email', textOf(body.email)],
    ['phone', textOf(body.phone_number)],
    ['requirements', body.legal_entity ? 'legal entity, owner and bank account' : ''],
  ]
  return { facts, question: `Create this ${kind}?`, moves: false }
}
