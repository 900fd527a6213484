import type { Json } from '../../../schema/json.js'
import { formatMoney, type Minor, parseMoney } from '../../../schema/money.js'
import type { Client, ClientRequest } from '../client/client.js'
import { type Movement, movementsOf } from '../client/movement.js'
import { Refusal } from '../failure/failure.js'
import type { Guard } from './profile.js'

/** A client that lets money move only as far as a profile allows; whatever is sent passes it. */
export function guarded(client: Client, guard: Guard, profile: string): Client {
  const { max_amount: most, verbs } = guard
  if (most === undefined && verbs === undefined) return client
  return {
    async send(request) {
      for (const movement of movementsOf(request)) {
        const { verb } = movement
        if (verbs && !verbs.includes(verb))
          throw refused(
            `The profile ${profile} does not allow ${verb}; it allows ${verbs.join(', ') || 'nothing'}`,
          )
        if (most !== undefined) await expectWithin(most, movement, request)
      }
      return await client.send(request)
    },
    close: () => client.close(),
  }

  async function expectWithin(limit: Minor, movement: Movement, request: ClientRequest): Promise<void> {
    const amount = minorOf(movement.amount) ?? minorOf(await storedAmount(movement, request))
    if (amount !== undefined && Math.abs(amount) > limit)
      throw refused(
        `The profile ${profile} allows ${formatMoney(limit)} at most, and this is ${formatMoney(Math.abs(amount))}`,
      )
    if (amount === undefined && !(verbs?.includes(movement.verb) || movement.verb === 'change'))
      throw refused(
        `The profile ${profile} allows ${formatMoney(limit)} at most, and the amount is not known; allow ${movement.verb} by its name`,
      )
  }

  /** What is captured, voided or refunded has its amount already. */
  async function storedAmount({ verb }: Movement, { path }: ClientRequest): Promise<Json | undefined> {
    const id = /^\/+transactions\/+([\w-]+)/i.exec(path)?.[1]
    if (id === undefined || verb === 'change') return undefined
    const { body } = await client.send({ method: 'GET', path: `/transactions/${id}` })
    return body.amount
  }
}

function minorOf(amount: Json | undefined): Minor | undefined {
  return typeof amount === 'number' || typeof amount === 'string' ? parseMoney(amount) : undefined
}

function refused(description: string): Refusal {
  const body = { object: 'error', error_type: 'Forbidden', error_description: description, details: {} }
  return new Refusal({ status: 403, body, headers: {} })
}
