import { shellWord } from '../../../platform/shell-word.js'
import type { ClientRequest } from '../client/client.js'
import type { Danger } from '../confirmation/danger.js'
import type { ConfirmationContext } from '../confirmation/live-question.js'
import { NotConfirmed, UsageError } from '../failure/failure.js'
import type { Prompts } from '../prompts/prompts.js'
import type { Choices } from './global-flags.js'

/** Value of `--confirm` where no id is required. */
export const LIVE = 'live'

/**
 * Asks for confirmation of a dangerous request in the live environment, at the terminal or by `--confirm live`.
 * Dangerous requests move money, delete objects, delete stored card or account numbers, or end keys that programs use.
 * An object named by transactions is deleted only if its id or name was typed, or given as `--confirm ID`. Returns
 * false for a request that needs no confirmation. Throws a `UsageError` or `NotConfirmed`.
 */
export async function confirmLive(
  request: ClientRequest,
  choices: Choices,
  context: ConfirmationContext,
): Promise<boolean> {
  if (choices.env !== 'live' || request.dryRun || request.method === 'GET') return false
  if (choices.confirm === LIVE && request.method !== 'DELETE') return true
  const [{ model }, { dangerOf }, { batchKinds }] = await Promise.all([
    import('../declarations/declared-model.js'),
    import('../confirmation/danger.js'),
    import('../../../resources/batch-kinds.js'),
  ])
  const { prompts, read } = context
  const danger = await dangerOf({ model, batchKinds, read }, request)
  if (!danger) return false
  const { namedByMoney, questionOf } = await import('../confirmation/live-question.js')
  if (danger.kind === 'deletion') {
    const names = await namedByMoney(model, danger, context)
    if (names) {
      await confirmByName(`Deleting ${names[0]} in live, which money names`, names, choices, prompts)
      return true
    }
  }
  if (isConfirmed(danger, choices)) return true
  if (!prompts && isNamedBy(context, danger)) return true
  if (!prompts)
    throw new UsageError(`${REFUSALS[danger.kind]} in the live environment: add --confirm ${LIVE}`)
  if (choices.yes) return true
  if (!(await prompts.confirm(`LIVE: ${await questionOf(request, danger, context)}. Go on?`)))
    throw new NotConfirmed('Not confirmed; nothing was sent.')
  return true
}

/**
 * Whether `--confirm` was given with the value that a danger requires. Throws a `UsageError` for another
 * value.
 */
function isConfirmed(danger: Danger, { confirm }: Choices): boolean {
  if (confirm === undefined) return false
  if (confirm === LIVE || (danger.kind === 'deletion' && confirm === danger.id)) return true
  throw new UsageError(`Expected --confirm ${LIVE}, but received: ${confirm}`)
}

/**
 * Whether the name of the command is confirmation enough for a script. Commands such as `gateways route` or `disputes
 * add` move no money by themselves.
 */
function isNamedBy({ isNamed }: ConfirmationContext, danger: Danger): boolean {
  if (danger.kind !== 'money' || !isNamed) return false
  return danger.actions.every(({ verb }) => verb === 'redirect' || verb === 'dispute')
}

const REFUSALS = {
  money: 'Money would move',
  deletion: 'Something would be deleted or revoked',
  ending: 'What programs use would end at once',
  dropping: 'Card and account numbers would be dropped for good',
} as const

/**
 * Returns only if one of these names was given as `--confirm`, or is typed at the terminal; `--yes` and
 * `--confirm live` are not enough. `what` is the beginning of the prompt. Throws a `UsageError` or
 * `NotConfirmed`.
 */
export async function confirmByName(
  what: string,
  names: readonly string[],
  { confirm }: Pick<Choices, 'confirm'>,
  prompts: Pick<Prompts, 'value'> | undefined,
): Promise<void> {
  const [first = ''] = names
  if (confirm !== undefined && names.includes(confirm)) return
  if (confirm !== undefined || !prompts) throw new UsageError(`${what}: add --confirm ${shellWord(first)}`)
  const typed = await prompts.value(TYPED, {
    message: `${what}. Type ${names.join(' or ')}:`,
    optional: true,
  })
  if (!names.includes(String(typed).trim())) throw new NotConfirmed('Not confirmed; nothing was done.')
}

const TYPED = {
  name: 'confirm',
  path: ['confirm'],
  kind: 'text',
  choices: [],
  required: true,
  doc: '',
} as const
