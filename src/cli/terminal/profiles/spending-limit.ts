import type { MoneyAction, MoneySources } from '../../../engine/core/moves/effect.js'
import type { Model } from '../../../model/model.js'
import { formatMoney, type Minor } from '../../../schema/money.js'
import { VERBS_WITHOUT_AMOUNT } from '../../../schema/moves.js'
import type { Client, ClientRequest } from '../client/client.js'
import { Refusal } from '../failure/failure.js'
import type { SpendingLimit } from './profile.js'

/** The spending limit of a profile, with its context. */
export interface LimitContext {
  readonly limit: SpendingLimit
  /** Name of the profile. */
  readonly profile: string
  /** Loads the compiled declarations, which determine what a request does with money. */
  model(): Promise<Model>
}

/** A client that refuses requests beyond a profile's spending limit before they are sent. */
export function limitedClient(client: Client, { limit, profile, model }: LimitContext): Client {
  const { max_amount: most, verbs } = limit
  if (most === undefined && verbs === undefined) return client
  const read: MoneySources['read'] = async (path, query) => {
    const { status, body } = await client.send({ method: 'GET', path, ...(query && { query }) })
    return status === 200 ? body : undefined
  }

  return {
    async send(request) {
      await check(request)
      return await client.send(request)
    },
    check,
    close: () => client.close(),
  }

  /**
   * Checks all money actions of a request before it is sent: a list or a batch is sent completely or not at
   * all.
   */
  async function check(request: ClientRequest): Promise<void> {
    if (request.method === 'GET') return
    const [{ moneyActionsOf }, { batchKinds }] = await Promise.all([
      import('../../../engine/core/moves/request-effects.js'),
      import('../../../resources/batch-kinds.js'),
    ])
    const sources = { model: await model(), batchKinds, read }
    for (const action of await moneyActionsOf(sources, request)) {
      refuseVerb(action)
      if (most !== undefined && action.verb !== 'change') await refuseAmount(most, action)
    }
  }

  function refuseVerb({ verb }: MoneyAction): void {
    if (verb === 'unknown')
      throw refused(
        `The profile ${profile} limits what may be done with money, and this version does not know such a request`,
      )
    if (verbs && !verbs.includes(verb))
      throw refused(
        `The profile ${profile} does not allow ${verb}; it allows ${verbs.join(', ') || 'nothing'}`,
      )
  }

  async function refuseAmount(largest: Minor, action: MoneyAction): Promise<void> {
    const { verb } = action
    const { amountOf } = await import('../../../engine/core/moves/effect.js')
    const amount = await amountOf({ read }, action)
    const limits = `The profile ${profile} allows at most ${formatMoney(largest)}`
    if (amount !== undefined && Math.abs(amount) > largest)
      throw refused(`${limits}, and this is ${formatMoney(Math.abs(amount))}`)
    if (amount !== undefined) return
    if (!VERBS_WITHOUT_AMOUNT.includes(verb)) throw refused(`${limits}, and the amount is unknown`)
    if (!verbs) throw refused(`${limits}, and the amount is unknown; allow ${verb} by its name`)
  }
}

function refused(description: string): Refusal {
  const body = { object: 'error', error_type: 'Forbidden', error_description: description, details: {} }
  return new Refusal({ status: 403, body, headers: {} })
}
