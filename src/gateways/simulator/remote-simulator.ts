import type {
  EmbeddedGateway,
  GatewayNotice,
  GatewayOperation,
  GatewayOutcome,
  RemoteGateway,
} from '../contract.js'
import { simulator } from './simulator.js'

/** What one call to a simulated remote gateway does. */
export type Behaviour =
  /** Does the work and says so. */
  | 'answers'
  /** Does the work and answers when `release` is called. */
  | 'answers_later'
  /** Does the work, and the answer is lost. */
  | 'times_out_after'
  /** Never sees the request. */
  | 'fails_before'

/** The outcome of a call is not known to the caller. */
export class GatewayUnreachable extends Error {
  constructor(reference: string) {
    super(`No answer from the gateway about ${reference}`)
    this.name = 'GatewayUnreachable'
  }
}

export interface RemoteSimulator extends RemoteGateway {
  /** What the next calls do, in order; when the script is used up, calls answer at once. */
  script(...behaviours: readonly Behaviour[]): void
  /** Lets every call go that answers later. */
  release(): void
  /** Tells of a dispute or a return, again and again until it is acknowledged. */
  report(notice: GatewayNotice): void
  /** The operations whose work was done, in order: a reference stands there once, however often it was sent. */
  readonly performed: readonly GatewayOperation[]
}

/** A gateway beyond the machine's edge, as reliable as its script says. The same reference is done once. */
export function remoteSimulator(decider: EmbeddedGateway = simulator): RemoteSimulator {
  const outcomes = new Map<string, GatewayOutcome>()
  const performed: GatewayOperation[] = []
  const behaviours: Behaviour[] = []
  const waiting: (() => void)[] = []
  const reported: GatewayNotice[] = []

  const work = (operation: GatewayOperation): GatewayOutcome => {
    const known = outcomes.get(operation.reference)
    if (known) return known
    const outcome = decider.perform(operation)
    outcomes.set(operation.reference, outcome)
    performed.push(operation)
    return outcome
  }

  return {
    kind: 'remote',
    name: 'remote-simulator',
    performed,
    script: (...next) => void behaviours.push(...next),
    release: () => {
      for (const go of waiting.splice(0)) go()
    },
    async perform(operation) {
      const behaviour = behaviours.shift() ?? 'answers'
      if (behaviour === 'fails_before') throw new GatewayUnreachable(operation.reference)
      const outcome = work(operation)
      if (behaviour === 'times_out_after') throw new GatewayUnreachable(operation.reference)
      if (behaviour === 'answers_later') await new Promise<void>((resolve) => waiting.push(resolve))
      return outcome
    },
    report: (notice) => void reported.push(notice),
    notices: async () => [...reported],
    acknowledge: async (notice) => void reported.splice(reported.indexOf(notice), 1),
    find: async (reference) => outcomes.get(reference) ?? 'never_seen',
  }
}
