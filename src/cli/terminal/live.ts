import { shellWord } from '../../platform/shell-word.js'
import type { ClientRequest } from './client/client.js'
import { NotConfirmed, UsageError } from './failure/failure.js'
import type { Choices } from './global-flags.js'
import type { ConfirmationContext } from './live-question.js'
import type { Prompts } from './prompts.js'

/** What `--confirm` says where no id is required. */
export const LIVE = 'live'

/**
 * Lets a request pass that moves money, deletes, drops numbers, or ends what programs use in the live environment only if it was confirmed:
 * at the terminal, or by `--confirm live` without one. What money names is deleted only where its id or name was typed, or
 * given as `--confirm ID`. Throws a `UsageError` or `NotConfirmed`.
 */
export async function confirmLive(
  request: ClientRequest,
  choices: Choices,
  desk: ConfirmationContext,
): Promise<void> {
  if (choices.env !== 'live' || request.dryRun || request.method === 'GET') return
  const [{ registry }, { dangerOf }] = await Promise.all([
    import('./declared-registry.js'),
    import('./client/danger.js'),
  ])
  const danger = dangerOf(registry, request)
  if (!danger) return
  const { namedByMoney, questionOf } = await import('./live-question.js')
  const { prompts } = desk
  if (danger.kind === 'deletion') {
    const names = await namedByMoney(registry, danger, desk)
    if (names)
      return await confirmByName(`Deleting ${names[0]} in live, which money names`, names, choices, prompts)
  }
  const { confirm } = choices
  if (confirm === LIVE || (confirm !== undefined && danger.kind === 'deletion' && confirm === danger.id))
    return
  if (confirm !== undefined) throw new UsageError(`Expected --confirm ${LIVE}, but received: ${confirm}`)
  if (!prompts)
    throw new UsageError(`${REFUSALS[danger.kind]} in the live environment: add --confirm ${LIVE}`)
  if (choices.yes) return
  if (!(await prompts.confirm(`LIVE: ${await questionOf(request, danger, desk)}. Go on?`)))
    throw new NotConfirmed('Not confirmed; nothing was sent.')
}

const REFUSALS = {
  money: 'Money would move',
  deletion: 'Something would be deleted or revoked',
  ending: 'What programs use would end at once',
  dropping: 'Card and account numbers would be dropped for good',
} as const

/**
 * Passes only if one of these names was given as `--confirm`, or is typed at the terminal; `--yes` and `--confirm live` are
 * not enough. `what` begins the sentence that asks for it. Throws a `UsageError` or `NotConfirmed`.
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
