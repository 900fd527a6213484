import { ApiError, invalidAttributes } from '../../engine/core/request/api-error.js'
import type { AdminRules, Steps } from '../../engine/core/write/rule.js'
import type { FoundOperation, RemoteGateway } from '../../gateways/contract.js'
import type { Clock } from '../../platform/clock.js'
import { millisecondsOf } from '../../schema/datetime.js'
import { beginCatchUp, endCatchUp, openCatchUp } from '../gateways/catching-up.js'
import type { Gateways } from '../gateways/gateways.js'
import { reconcile } from '../payments/outcome/reconcile.js'
import { recordForgotten } from './record-forgotten.js'

/**
 * Milliseconds before `since` from which operations are read. The gateway's clock may be late, and a copy may be older
 * than its date.
 */
const MARGIN = 3_600_000

/**
 * Reads from the gateways all operations that a restored copy may lack. Each is booked or becomes an exception. No
 * operation is sent to gateways until all are known. May be repeated after any of its steps.
 */
export function catchUpRules(gateways: Gateways, clock: Clock): Pick<AdminRules, 'catch_up'> {
  return {
    catch_up: {
      async performInSteps(steps, { since, force }) {
        const open = await begun(steps, since)
        gateways.changed()
        if (!open) return { ...NOTHING, since: null, finished: 1 }
        const counts = { ...NOTHING }
        const from = millisecondsOf(open.since) - MARGIN
        const remote = await steps.read((work) => gateways.remote(work))
        // Gateways are read at the same time: one that does not answer delays no other.
        const problems = await Promise.all(
          remote.map(async ({ gateway }) => {
            const { name } = gateway
            const problem = await lookUp(steps, gateway, from, counts)
            const search = { name, now: clock.now(), inFlight: 0 }
            const found = await reconcile(steps.inBackground, gateways, search)
            counts.unknown += found.filter(({ result }) => result === 'unknown').length
            return problem === undefined ? [] : [`${name} (${problem})`]
          }),
        )
        const unlisted = problems.flat()
        const isKnown = counts.unknown === 0 && unlisted.length === 0
        const finished =
          (isKnown || force === 1) && (await steps.write(({ tx }) => endCatchUp(tx, open.since)))
        gateways.changed()
        return { ...counts, since: open.since, unlisted: unlisted.join(', '), finished: finished ? 1 : 0 }
      },
    },
  }
}

const NOTHING = { looked_up: 0, booked: 0, exceptions: 0, unknown: 0, unlisted: '' }

async function begun(steps: Steps, since: string | null | undefined) {
  if (since)
    await steps.write(async ({ tx, realNow }) => {
      await beginCatchUp(tx, since, realNow)
    })
  const open = await steps.read((work) => openCatchUp(work))
  if (open && 'problem' in open)
    throw invalidAttributes({
      since: `Required, as the moment of the restored copy is not known: ${open.problem}`,
    })
  return open
}

/** Returns the reason why a gateway cannot be read, if any; the next request tries again. */
async function lookUp(
  steps: Steps,
  gateway: RemoteGateway,
  since: number,
  counts: { looked_up: number; booked: number; exceptions: number },
): Promise<string | undefined> {
  if (!gateway.operations) return 'it keeps no list'
  let problem: string | undefined
  try {
    for await (const found of advancing(gateway.operations(since))) {
      counts.looked_up++
      try {
        const caught = await steps.write((work) => recordForgotten(work, gateway, found))
        if (caught === 'booked') counts.booked++
        if (caught === 'exception') counts.exceptions++
      } catch (error) {
        // Another operation on the payment is pending; the rest of the list need not wait for it.
        if (!(error instanceof ApiError) || error.type !== 'Conflict') throw error
        problem = error.message
      }
    }
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  return problem
}

/** The entries of a list. Throws an error when the first one is listed again, as the list has no end then. */
async function* advancing(list: AsyncIterable<FoundOperation>): AsyncIterable<FoundOperation> {
  let first: string | undefined
  for await (const found of list) {
    const listed = JSON.stringify(found)
    if (listed === first) throw new Error('its list does not advance')
    first ??= listed
    yield found
  }
}
