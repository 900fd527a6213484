import { UsageError } from '../../terminal/failure/failure.js'
import type { ChosenObject, WizardQuestions } from '../../terminal/wizard/wizard-questions.js'
import { choicesOf, type Lookup, lookUp, textOf } from './lookup.js'

const active: Lookup = {
  path: '/admin/keys',
  query: [['status', 'active']],
  searched: ['id', 'description', 'hint'],
}

/** Prompts for the active key to revoke or to replace. Throws a `UsageError` if there is none. */
export async function keyToEnd(
  questions: WizardQuestions,
  change: 'revoke' | 'replace',
): Promise<ChosenObject> {
  if ((await lookUp(questions, active, '')).length === 0)
    throw new UsageError('There is no active key; payctl keys list shows them all')
  const key = await questions.prompts.search('key (type to search):', async (term) =>
    choicesOf(questions, await lookUp(questions, active, term), {
      row: ({ created_at: made, hint, manage, description }) => [
        { text: textOf(made).slice(0, 10) },
        { text: textOf(hint) },
        { text: manage === true ? 'manage' : '' },
        { text: textOf(description) },
      ],
      short: ({ hint, description }) => [textOf(hint), textOf(description)].filter(Boolean).join(', '),
    }),
  )
  return {
    id: textOf(key.id),
    plan: {
      facts: [
        [change, textOf(key.hint)],
        ['key', textOf(key.id), () => undefined],
        ['for', textOf(key.description)],
      ],
      question: change === 'revoke' ? 'Revoke this key?' : 'Replace this key?',
      moves: true,
    },
  }
}
