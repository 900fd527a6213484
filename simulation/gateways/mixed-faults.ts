import type { JsonObject } from '../../src/schema/json.js'
import type { Time } from '../../test/gateways/contract/opened-rail.js'
import { type RAILS, wireServers } from '../../test/gateways/contract/wire-servers.js'
import { seededChance } from '../../test/support/chance.js'
import type { Place } from '../../test/support/databases.js'
import { atRest, findOut, settleAll } from './at-rest.js'
import { ChosenFaults } from './chosen-faults.js'
import { allOf, asOperator, connectPlace } from './connected-place.js'
import { DaysAfter } from './days-after.js'
import { PayerLoad } from './payer-load.js'

/** Number of payments between two pauses. In a pause, time passes and unknown outcomes are resolved. */
const AT_A_TIME = 1_000
/** Milliseconds that exceed the horizon of every rail, after which `never_seen` is final. */
const LATER = 2 * 3_600_000

/**
 * Reports that are no problems, because their notification is handled later. It waits for the outcome of another
 * operation, or the time for reading was over, as on a busy machine.
 */
const HANDLED_LATER = /has no outcome yet|does not come to an end within \d+ s/

export interface MixedFaultsOptions {
  readonly kind: (typeof RAILS)[number]
  readonly place: Place
  readonly peerPlace: () => Promise<Place>
  readonly payments: number
  /** Percentage of requests that fail. */
  readonly percent: number
  readonly seed: number
  readonly tell?: (line: string) => void
}

export interface MixedFaultsReport {
  readonly payments: number
  readonly faults: number
  /** Number of exceptions by kind; `outcomes` is the number of transactions by type and status. */
  readonly exceptions: Readonly<Record<string, number>>
  readonly outcomes: Readonly<Record<string, number>>
  readonly problems: readonly string[]
}

function countedBy(objects: readonly JsonObject[], ...names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const each of objects) {
    const key = names.map((name) => String(each[name])).join(' ')
    counts[key] = (counts[key] ?? 0) + 1
  }
  return counts
}

/**
 * Runs all kinds of operations against a rail while requests and answers are lost, late, slow or garbled. Delivers
 * every notification twice, in random order, then compares the rail's books with ours.
 */
export async function mixedFaults(options: MixedFaultsOptions): Promise<MixedFaultsReport> {
  const { kind, place, peerPlace, payments, percent, seed, tell = () => undefined } = options
  const chance = seededChance(seed)
  let shift = 0
  const time: Time = {
    get now() {
      return Date.now() + shift
    },
  }
  const wire = await wireServers[kind](time, peerPlace)
  const slow = setInterval(() => void wire.network.answerSlow(), 20)
  try {
    const merchant = await connectPlace(place, wire)
    const faults = new ChosenFaults(wire.network, chance, percent)
    // While requests fail, reported failures to read the rail are expected. Errors that show a bug are problems at any
    // time.
    const reported: string[] = []
    const broken: string[] = []
    const report = (error: unknown) => {
      const { cause = error } = error instanceof Error ? error : {}
      if (!HANDLED_LATER.test(String(cause))) reported.push(`${error}: ${cause}`)
      if (cause instanceof TypeError || cause instanceof RangeError) broken.push(`${error}: ${cause.stack}`)
    }
    return await asOperator(
      place,
      async (ask, app) => {
        const load = new PayerLoad(app, wire, merchant, chance, faults.wait)
        const after = new DaysAfter({ ask, app, wire, merchant, load, chance })
        const pass = () => {
          shift += LATER
          faults.skip()
        }
        faults.begin()
        for (let taken = 0; taken < payments; ) {
          const begun = Date.now()
          taken = Math.min(taken + AT_A_TIME, payments)
          await load.take(taken)
          const asked = Date.now()
          pass()
          await findOut(ask, app)
          await after.takeElsewhere()
          await settleAll(ask, app, wire)
          await after.happen()
          await findOut(ask, app)
          await after.decide()
          await after.connectAnother()
          const [taking, settling] = [asked - begun, Date.now() - asked].map((each) =>
            Math.round(each / 1000),
          )
          tell(
            `${kind}: ${taken} payments in ${taking} s, found out in ${settling} s, ${faults.count} faults`,
          )
        }
        faults.end()
        reported.length = 0
        const problems = await atRest({ ask, app, wire, merchant, chance, after, pass })
        const exceptions = countedBy(await allOf(ask, '/admin/exceptions'), 'kind')
        const outcomes = countedBy(await allOf(ask, '/transactions'), 'type', 'status', 'status_code')
        return {
          payments,
          faults: faults.count,
          exceptions,
          outcomes,
          problems: [...broken, ...reported, ...load.problems, ...problems],
        }
      },
      { clock: { now: () => time.now }, stopwatch: faults.stopwatch, report },
    )
  } finally {
    clearInterval(slow)
    await wire.close()
  }
}
