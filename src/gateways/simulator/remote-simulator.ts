import { MAX_EVIDENCE } from '../../schema/evidence.js'
import { CURRENCY } from '../../schema/money.js'
import type {
  ApprovedOutcome,
  Capabilities,
  DeclinedOutcome,
  EmbeddedGateway,
  GatewayNotification,
  GatewayOperation,
  GatewayOutcome,
  MoneyTakenBack,
  RemoteGateway,
} from '../contract.js'
import { NO_REPORTS } from '../rail-reports.js'
import { UnknownOutcome } from '../unknown-outcome.js'
import { simulator } from './simulator.js'

/** Behaviour of one call to a simulated remote gateway. */
export type Behaviour =
  /** Executes the operation and answers. */
  | 'answers'
  /** Executes the operation and answers when `release` is called. */
  | 'answers_later'
  /** Executes the operation; its answer is lost. */
  | 'times_out_after'
  /** Never receives the request. */
  | 'fails_before'
  /** Gives no answer, and executes the operation when `release` is called. */
  | 'arrives_late'
  /** Gives this answer without executing the operation. */
  | GatewayOutcome

export interface RemoteSimulator extends RemoteGateway {
  /** Sets the behaviour of the next calls, in order; afterwards, calls answer at once. */
  script(...behaviours: readonly Behaviour[]): void
  /** Lets all calls with `answers_later` answer, and executes all operations with `arrives_late`. */
  release(): void
  /** Reports a dispute or a return. */
  report(notice: MoneyTakenBack): void
  notifications: NonNullable<RemoteGateway['notifications']>
  /** Executed operations, in order. An operation that was sent several times occurs once. */
  readonly performed: readonly GatewayOperation[]
}

/**
 * Abilities of the simulator. It executes at once, so an operation that it does not know was never sent (`horizon` 0).
 */
export const SIMULATED: Capabilities = {
  methods: ['card', 'bank_account'],
  bankNumbers: true,
  partialRefund: true,
  partialCapture: true,
  voidCaptured: 'void',
  refundBeforeSettlement: true,
  settlesRefunded: false,
  authorizationLifetime: 7 * 86_400_000,
  tokens: false,
  authentication: false,
  store: true,
  idempotency: 'key',
  horizon: 0,
  reports: { ...NO_REPORTS, disputes: true },
}

/** A simulated remote gateway whose calls behave as scripted. A repeated reference is executed once. */
export function remoteSimulator(
  decider: EmbeddedGateway = simulator,
  capabilities: Partial<Capabilities> = {},
): RemoteSimulator {
  const outcomes = new Map<string, ApprovedOutcome | DeclinedOutcome>()
  const performed: GatewayOperation[] = []
  const behaviours: Behaviour[] = []
  const waiting: (() => void)[] = []
  const reported: MoneyTakenBack[] = []

  const work = (operation: GatewayOperation): ApprovedOutcome | DeclinedOutcome => {
    const known = outcomes.get(operation.reference)
    if (known) return known
    const outcome = decider.perform(operation)
    outcomes.set(operation.reference, outcome)
    performed.push(operation)
    return outcome
  }

  const stateOf = (reference: string, type: 'sale' | 'authorize') => {
    const done = performed.filter(({ parent }) => parent?.reference === reference).map((each) => each.type)
    if (done.includes('void')) return 'voided'
    return type === 'sale' || done.includes('capture') ? 'captured' : 'authorized'
  }

  /** Captured amount of a payment, which may be a part; without a capture, the amount of the operation. */
  const takenOf = (reference: string, amount: number) =>
    performed.find((each) => each.type === 'capture' && each.parent?.reference === reference)?.amount ??
    amount

  return {
    kind: 'remote',
    name: 'remote-simulator',
    capabilities: { ...SIMULATED, ...capabilities },
    performed,
    script: (...next) => void behaviours.push(...next),
    release: () => {
      for (const go of waiting.splice(0)) go()
    },
    async perform(operation) {
      const behaviour = behaviours.shift() ?? 'answers'
      if (typeof behaviour === 'object') return behaviour
      if (behaviour === 'arrives_late') waiting.push(() => void work(operation))
      if (behaviour === 'arrives_late' || behaviour === 'fails_before') throw lost(operation)
      const outcome = work(operation)
      if (behaviour === 'times_out_after') throw lost(operation)
      if (behaviour === 'answers_later') await new Promise<void>((resolve) => waiting.push(resolve))
      return outcome
    },
    find: async ({ reference }) => outcomes.get(reference) ?? 'never_seen',
    async store({ reference, method }) {
      const behaviour = behaviours.shift() ?? 'answers'
      if (typeof behaviour === 'object') return behaviour
      const outcome = decider.perform({ type: 'authorize', reference, amount: 0, currency: CURRENCY, method })
      const stored = outcome.result === 'approved' ? { ...outcome, token: `tok_${reference}` } : outcome
      if (behaviour === 'fails_before') throw lost({ reference })
      outcomes.set(reference, stored)
      if (behaviour !== 'answers') throw lost({ reference })
      return stored
    },
    findStored: async ({ reference }) => outcomes.get(reference) ?? 'never_seen',
    async *operations() {
      for (const { reference, type, amount, parent } of performed) {
        const outcome = outcomes.get(reference) ?? 'never_seen'
        if (type !== 'capture' && type !== 'void') {
          const state = type === 'sale' || type === 'authorize' ? stateOf(reference, type) : undefined
          const taken = takenOf(reference, amount)
          yield {
            kind: 'operation',
            reference,
            type,
            amount: taken,
            outcome,
            state,
            parent: parent?.reference,
          }
        }
      }
    },
    disputes: {
      evidence: [],
      bytesOfFile: MAX_EVIDENCE,
      bytes: MAX_EVIDENCE,
      read: async ({ dispute }) => reported.filter((notice) => notice.dispute === dispute),
      answer: async () => ({ result: 'answered' }),
    },
    report: (notice) => void reported.push(notice),
    notifications: async (cursor) => ({
      notifications: reported.slice(Number(cursor ?? 0)).map(notificationOf),
      cursor: String(reported.length),
    }),
    read: async ({ id }) => reported.filter((notice) => notificationOf(notice).id === id).slice(0, 1),
  }
}

function notificationOf(notice: MoneyTakenBack): GatewayNotification {
  const { kind, dispute } = notice
  return {
    id: `${kind} ${dispute}`,
    type: kind,
    about: 'dispute',
    gatewayId: dispute,
    raw: JSON.stringify(notice),
  }
}

function lost({ reference }: Pick<GatewayOperation, 'reference'>): UnknownOutcome {
  return new UnknownOutcome(`No answer from the gateway about ${reference}`)
}
