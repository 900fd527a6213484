import type { JsonObject } from '../../terminal/client/client.js'
import { drop, has, isObject } from '../../terminal/input/body.js'
import {
  type Fact,
  fill,
  formFact,
  offer,
  type Wizard,
  type WizardPlan,
  type WizardQuestions,
} from '../../terminal/wizard/wizard-questions.js'
import { askRequirement, isLacking, REQUIREMENTS, requirementFacts } from './requirements.js'

type Kind = 'customer' | 'processing'

/**
 * Prompts for the kind of an account, unless given, for its name and contact, and for the requirements of a
 * processing account.
 */
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
    return planOf(questions, body, kind, isCustomer)
  }
}

async function askKind({ prompts }: WizardQuestions): Promise<Kind> {
  return await prompts.choose('what kind of account', [
    { name: 'a customer, who pays', value: 'customer' },
    { name: 'a processing account, which is paid', value: 'processing' },
  ])
}

/**
 * Prompts for the requirements of an account's activation, if the operator wants to enter them now. If the operator has
 * started to enter requirements, prompts for the rest without this choice.
 */
async function askRequirements(questions: WizardQuestions, body: JsonObject): Promise<void> {
  const { answered, isResumed, prompts } = questions
  const isBegun = has(body, ['legal_entity']) || has(body, ['payment_methods'])
  if (isBegun && !isResumed && !answered.has(body, 'requirements') && !isPartial(body)) return
  if (!isBegun && answered.has(body, 'requirements')) return
  const now =
    isBegun ||
    (await prompts.choose('legal entity, its owner and the bank account', [
      { name: 'later (processing-accounts complete)', value: false },
      { name: 'now', value: true },
    ]))
  answered.add(body, 'requirements')
  if (!now) return
  for (const requirement of REQUIREMENTS) await askRequirement(questions, body, requirement)
}

/** Whether a new legal entity lacks attributes that the wizard prompts for. */
function isPartial(body: JsonObject): boolean {
  const { legal_entity: entity } = body
  return isObject(entity) && !has(entity, ['id']) && isLacking(body, 'legal entity')
}

function planOf(
  questions: WizardQuestions,
  body: JsonObject,
  kind: Kind | undefined,
  isCustomer: boolean,
): WizardPlan {
  const { answered } = questions
  const noun = isCustomer ? 'customer' : 'processing account'
  const kindFact: Fact = kind === undefined ? ['kind', noun, () => drop(body, ['type'])] : ['kind', noun]
  const isBegun = isObject(body.legal_entity) || Array.isArray(body.payment_methods)
  const requirements: readonly Fact[] = isBegun
    ? REQUIREMENTS.flatMap((requirement) => requirementFacts(questions, body, requirement))
    : [['legal entity, owner and bank account', '', () => answered.reopen(body, 'requirements')]]
  return {
    facts: [
      kindFact,
      formFact(questions, body, 'name'),
      formFact(questions, body, 'email'),
      formFact(questions, body, 'phone_number'),
      ...(isCustomer ? [] : [formFact(questions, body, 'processing.industry'), ...requirements]),
    ],
    question: `Create this ${noun}?`,
    moves: false,
  }
}
