import { resources } from '../../../resources/index.js'
import { flagsOf } from '../../../schema/flags.js'
import type { Resource } from '../../../schema/resource.js'
import type { JsonObject } from '../../terminal/client/client.js'
import { registry } from '../../terminal/declared.js'
import { has } from '../../terminal/input/body.js'
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

/** Asks for an account's name and contact, and for a processing account's requirements; for the kind unless it is known. */
export function accountWizard(kind?: Kind): Wizard {
  return async (questions, body) => {
    if (kind === undefined && !has(body, ['type'])) body.type = await askKind(questions)
    const isCustomer = (kind ?? body.type) === 'customer'
    await fill(questions, body, 'name')
    await offer(questions, body, 'email')
    await offer(questions, body, 'phone_number')
    if (!isCustomer) {
      await fill(questions, body, 'processing.industry')
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

/** Asks for what an account needs before it can be activated, now or later. */
async function askRequirements(questions: WizardQuestions, body: JsonObject): Promise<void> {
  if (has(body, ['legal_entity']) || has(body, ['payment_methods'])) return
  const now = await questions.prompts.choose('legal entity, its owner and the bank account', [
    { name: 'later', value: false },
    { name: 'now', value: true },
  ])
  if (!now) return
  const entity = await askRequired(questions, resources.legal_entity)
  questions.say('  The owner of the legal entity:')
  entity.owners = [await askRequired(questions, resources.legal_entity_owner)]
  questions.say('  The bank account that deposits go to:')
  const method: JsonObject = { type: 'bank_account', bank_account: { account_class: 'business' } }
  const bank = { ...questions, descriptions: flagsOf(registry, resources.payment_method, 'create') }
  for (const name of ['account_number', 'routing_number', 'account_type'])
    await fill(bank, method, `bank_account.${name}`)
  body.legal_entity = entity
  body.payment_methods = [method]
}

/** Asks for all required attributes of an object. */
async function askRequired(questions: WizardQuestions, resource: Resource): Promise<JsonObject> {
  const descriptions = flagsOf(registry, resource, 'create')
  const object: JsonObject = {}
  for (const { path, required, field } of descriptions)
    if (required && field?.kind !== 'ref') await fill({ ...questions, descriptions }, object, path.join('.'))
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
