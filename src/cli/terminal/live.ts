import type { Json, JsonObject } from '../../schema/json.js'
import { maskDigits } from '../../schema/wire.js'
import type { ClientRequest } from './client/client.js'
import { moneyActionsOf } from './client/money-action.js'
import { NotConfirmed, UsageError } from './failure/failure.js'
import type { Choices } from './global-flags.js'
import { isObject } from './input/body.js'
import type { Prompts } from './prompts.js'

/**
 * Lets a request that moves money in the live environment pass only if it was confirmed: at the terminal, or by
 * `--confirm live` without one. Throws a `UsageError` or `NotConfirmed`.
 */
export async function confirmLive(
  request: ClientRequest,
  choices: Choices,
  prompts: Pick<Prompts, 'confirm'> | undefined,
): Promise<void> {
  if (
    choices.env !== 'live' ||
    choices.confirm === 'live' ||
    request.dryRun ||
    moneyActionsOf(request).length === 0
  )
    return
  if (!prompts) throw new UsageError('Money would move in the live environment: add --confirm live')
  if (choices.yes) return
  if (!(await prompts.confirm(`LIVE: ${described(request)}. Go on?`)))
    throw new NotConfirmed('Not confirmed; nothing was sent.')
}

/** The amount, the payer and the last digits, as far as the request has them. */
function described({ method, path, body }: ClientRequest): string {
  const object = isObject(body) ? body : {}
  const parts = [
    object.type ?? object.status ?? method,
    object.amount,
    object.customer_id && `of ${object.customer_id}`,
    lastDigits(object) && `with ${lastDigits(object)}`,
    `at ${path}`,
  ]
  return parts.filter(Boolean).join(' ')
}

function lastDigits({ payment_method }: JsonObject): string | undefined {
  if (!isObject(payment_method)) return undefined
  const { card, bank_account } = payment_method
  const number = digitsOf(card, 'card_number') ?? digitsOf(bank_account, 'account_number')
  return number && maskDigits(number)
}

function digitsOf(group: Json | undefined, name: string): string | undefined {
  const digits = isObject(group) ? group[name] : undefined
  return typeof digits === 'string' ? digits : undefined
}
