import type { FlagDescription } from '../../../schema/flag-description.js'
import type { Resource } from '../../../schema/resource.js'
import type { JsonObject } from '../../terminal/client/client.js'
import { registry } from '../../terminal/declarations/declared-registry.js'
import { put } from '../../terminal/input/body.js'
import { applies, lacks } from '../../terminal/input/lacking.js'
import {
  fill,
  formFacts,
  offer,
  type Wizard,
  type WizardQuestions,
} from '../../terminal/wizard/wizard-questions.js'
import { chooseObject } from './lookup.js'

/**
 * Prompts for the needed fields of a resource's form, in their order; with --interactive, for the other fields, too.
 * For the id of another object, the operator chooses from a list.
 */
export function formWizard(resource: Resource): Wizard {
  return async (questions, body) => {
    for (const description of questions.descriptions) {
      if (lacks(body, description)) await fillOrChoose(questions, body, description)
      else if (questions.isWhole && description.form && applies(body, description))
        await offer(questions, body, description.path.join('.'))
    }
    return {
      facts: formFacts(questions, body),
      question: `Create this ${resource.name.replaceAll('_', ' ')}?`,
      moves: false,
    }
  }
}

/** Prompts for a value, or lets the operator choose the object for an attribute that contains an id. */
async function fillOrChoose(
  questions: WizardQuestions,
  body: JsonObject,
  description: FlagDescription,
): Promise<void> {
  const { field, path } = description
  const target = field?.kind === 'ref' || field?.kind === 'one' ? registry.find(field.to) : undefined
  if (!target) return await fill(questions, body, path.join('.'))
  put(body, path, (await chooseObject(questions, target)).id ?? null)
}
