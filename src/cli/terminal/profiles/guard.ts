import type { Json } from '../../../schema/json.js'
import { amountIn, formatMoney, type Minor } from '../../../schema/money.js'
import type { Client, ClientRequest } from '../client/client.js'
import { type MoneyAction, moneyActionsOf } from '../client/money-action.js'
import { Refusal } from '../failure/failure.js'
import type { Guard } from './profile.js'

/** A client that refuses requests which move more money than a profile allows. Every request goes through it. */
export function guarded(client: Client, guard: Guard, profile: string): Client {
  const { max_amount: most, verbs } = guard
  if (most === undefined && verbs === undefined) return client
  return {
    async send(request) {
      for (const action of moneyActionsOf(request)) {
        const { verb } = action
        if (verbs && !verbs.includes(verb))
          throw refused(
            `The profile ${profile} does not allow ${verb}; it allows ${verbs.join(', ') || 'nothing'}`,
          )
        if (most !== undefined) await refuseBeyondLimit(most, action, request)
      }
      return await client.send(request)
    },
    close: () => client.close(),
  }

  async function refuseBeyondLimit(limit: Minor, action: MoneyAction, request: ClientRequest): Promise<void> {
    const amount = amountIn(action.amount) ?? amountIn(await storedAmount(action, request))
    if (amount !== undefined && Math.abs(amount) > limit)
      throw refused(
        `The profile ${profile} allows at most ${formatMoney(limit)}, and this is ${formatMoney(Math.abs(amount))}`,
      )
    if (amount === undefined && !(verbs?.includes(action.verb) || action.verb === 'change'))
      throw refused(
        `The profile ${profile} allows at most ${formatMoney(limit)}, and the amount is unknown; allow ${action.verb} by its name`,
      )
  }

  /** The stored amount of the transaction that is captured, voided or refunded, or of the exception that is resolved so. */
  async function storedAmount({ verb }: MoneyAction, { path }: ClientRequest): Promise<Json | undefined> {
    const [, plural, id] = /^\/+(transactions|admin\/+exceptions)\/+([\w-]+)/i.exec(path) ?? []
    if (plural === undefined || verb === 'change') return undefined
    const { body } = await client.send({ method: 'GET', path: `/${plural.toLowerCase()}/${id}` })
    return body.amount
  }
}

function refused(description: string): Refusal {
  const body = { object: 'error', error_type: 'Forbidden', error_description: description, details: {} }
  return new Refusal({ status: 403, body, headers: {} })
}
