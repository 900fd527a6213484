import { LRUCache } from 'lru-cache'
import type { Timers } from '../../platform/clock.js'
import type { Random } from '../../platform/random.js'
import type { ApprovedOutcome, DeclinedOutcome, RemoteGateway } from '../contract.js'
import { UnknownOutcome } from '../unknown-outcome.js'
import { SIMULATED } from './remote-simulator.js'
import { simulator } from './simulator.js'

/** Faults that the simulator injects, so that clients can practise with the faults of real gateways. */
export interface Drill {
  /** Milliseconds until the simulator answers. */
  readonly latency: number
  /** Percentage of operations that do not reach the simulator. The client receives status 503. */
  readonly failRate: number
  /** Percentage of the other operations that are executed but not answered. Their transactions stay `processing`. */
  readonly loseAnswers: number
}

/** Maximal number of lost outcomes that are kept for `find`. */
const MAX_LOST = 100_000

/**
 * The simulator of the test environment as a remote gateway with faults. `find` answers a lost outcome, but only in the
 * process that executed the operation.
 */
export function drilledSimulator(
  { latency, failRate, loseAnswers }: Drill,
  { random, timers }: { readonly random: Random; readonly timers: Timers },
): RemoteGateway {
  const lost = new LRUCache<string, ApprovedOutcome | DeclinedOutcome>({ max: MAX_LOST })
  const happens = (percent: number) => {
    const [high = 0, low = 0] = random.bytes(2)
    return high * 256 + low < (percent / 100) * 65_536
  }
  return {
    kind: 'remote',
    name: simulator.name,
    // Faults apply to payments only. Storing a method works as with the simulator.
    capabilities: { ...SIMULATED, store: false },
    async perform(operation) {
      if (latency > 0) await new Promise<void>((resolve) => void timers.after(latency, resolve))
      if (happens(failRate)) return { result: 'not_sent', problem: 'A drill: the gateway is not reached' }
      const outcome = simulator.perform(operation)
      if (!happens(loseAnswers)) return outcome
      lost.set(operation.reference, outcome)
      throw new UnknownOutcome('A drill: the answer is lost')
    },
    find: async ({ reference }) => lost.get(reference) ?? 'never_seen',
  }
}
