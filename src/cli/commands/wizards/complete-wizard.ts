import { objectsIn } from '../../../schema/answer-values.js'
import type { JsonObject } from '../../terminal/client/client.js'
import { UsageError } from '../../terminal/failure/failure.js'
import { isObject } from '../../terminal/input/body.js'
import type { Wizard, WizardQuestions } from '../../terminal/wizard/wizard-questions.js'
import { choicesOf, textOf } from './lookup.js'
import { askRequirement, type Requirement, requirementFacts } from './requirements.js'

/** Prompts for the requirements that a processing account lacks. */
export function completeWizard(name: string, missing: readonly Requirement[]): Wizard {
  return async (questions, body) => {
    questions.say(`  ${name} lacks: ${missing.join(', ')}`)
    for (const requirement of missing) await askRequirement(questions, body, requirement)
    return {
      facts: missing.flatMap((requirement) => requirementFacts(questions, body, requirement)),
      question: `Complete ${name} with this?`,
      moves: false,
    }
  }
}

/** Requirements that an account lacks, in the order of the prompts. */
export function missingOf(account: JsonObject): readonly Requirement[] {
  const { legal_entity: entity } = account
  const missing: Requirement[] = isObject(entity) ? [] : ['legal entity']
  if (!isObject(entity) || objectsIn(entity, 'owners').length === 0) missing.push('owner')
  if (!objectsIn(account, 'payment_methods').some(({ type }) => type === 'bank_account'))
    missing.push('bank account')
  return missing
}

/**
 * Body of the update: the answers, with the ids of the account's existing objects. An object that is
 * missing in the body would be deleted.
 */
export function besideKnown(account: JsonObject, answers: JsonObject): JsonObject {
  const { legal_entity: entity } = answers
  const { legal_entity: known } = account
  const methods = objectsIn(answers, 'payment_methods')
  return {
    ...(isObject(entity) && { legal_entity: isObject(known) ? { id: known.id ?? null, ...entity } : entity }),
    ...(methods.length > 0 && {
      payment_methods: [
        ...objectsIn(account, 'payment_methods').map(({ id = null }) => ({ id })),
        ...methods,
      ],
    }),
  }
}

/** Prompts for one of the incomplete accounts. Throws a `UsageError` if there is none. */
export async function chooseIncomplete(questions: WizardQuestions): Promise<string> {
  const found = await questions.find('/processing_accounts', [['status', 'incomplete']])
  if (found.length === 0)
    throw new UsageError('No processing account is incomplete; payctl processing-accounts list shows them')
  const account = await questions.prompts.choose(
    'which processing account',
    choicesOf(questions, found, {
      row: ({ name, id }) => [{ text: textOf(name) }, { text: textOf(id) }],
      short: ({ name }) => textOf(name),
    }),
  )
  return textOf(account.id)
}
