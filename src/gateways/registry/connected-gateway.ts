import type { Clock } from '../../platform/clock.js'
import type { RailClient } from '../../platform/network/rail-client.js'
import type {
  Credentials,
  GatewayOperation,
  GatewayOutcome,
  Rail,
  RailEffects,
  RemoteGateway,
} from '../contract.js'
import { CircuitBreaker } from './circuit-breaker.js'
import type { RailEntry } from './rails.js'

/** A call to a gateway, for the log: no card data. */
export interface GatewayCall {
  readonly gateway: string
  readonly call: string
  readonly reference?: string
  /** Duration of the call. */
  readonly milliseconds: number
  readonly outcome: string
  readonly problem?: string
}

export interface ConnectionOptions {
  readonly name: string
  readonly credentials: Credentials
  readonly http: RailClient
  readonly clock: Clock
  readonly stopwatch: Clock
  /** Called after each call. */
  readonly onCall: (call: GatewayCall) => void
}

/** A rail with its credentials, behind a circuit breaker; every call is logged, but for the pages of `operations`. */
export async function connectGateway(entry: RailEntry, options: ConnectionOptions): Promise<RemoteGateway> {
  return connected(await entry.load(), options)
}

function connected(
  railOver: (effects: RailEffects) => Rail,
  options: ConnectionOptions,
  shared?: CircuitBreaker,
): RemoteGateway {
  const { name, credentials, http, clock, stopwatch, onCall } = options
  const rail = railOver({ http, now: () => clock.now() })
  const breaker = shared ?? new CircuitBreaker(stopwatch, clock)

  const logged = async <T>(call: string, run: () => Promise<T>, reference?: string): Promise<T> => {
    const begun = stopwatch.now()
    const report = (outcome: string, problem?: string) =>
      onCall({
        gateway: name,
        call,
        outcome,
        milliseconds: Math.round(stopwatch.now() - begun),
        ...(reference !== undefined && { reference }),
        ...(problem !== undefined && { problem }),
      })
    try {
      const answer = await run()
      report(outcomeIn(answer), problemIn(answer))
      return answer
    } catch (error) {
      report('unknown', error instanceof Error ? error.message : String(error))
      throw error
    }
  }

  const perform = async (operation: GatewayOperation): Promise<GatewayOutcome> => {
    const refusal = breaker.refusal()
    if (refusal) return { result: 'not_sent', problem: refusal }
    return await breaker.watch(() => rail.perform(operation, credentials))
  }

  const { locate, receive, notifications, read, settlements, operations, check } = rail
  const gateway: RemoteGateway = {
    kind: 'remote',
    name,
    capabilities: rail.capabilities,
    limitedTo: (turn) => ({
      ...connected(railOver, { ...options, http: turn.client(http) }, breaker),
      perform: gateway.perform,
    }),
    circuit: () => breaker.state(),
    perform: (operation) => logged(operation.type, () => perform(operation), operation.reference),
    find: (operation, sent) =>
      logged('find', () => rail.find(operation, sent, credentials), operation.reference),
    ...(locate && { locate: (sent) => logged('locate', () => locate.call(rail, sent, credentials)) }),
    ...(receive && { receive: async (headers, body) => receive.call(rail, headers, body, credentials) }),
    ...(notifications && {
      notifications: (cursor) => logged('notifications', () => notifications.call(rail, cursor, credentials)),
    }),
    ...(read && {
      read: (notification) => logged('read', () => read.call(rail, notification, credentials)),
    }),
    ...(settlements && {
      settlements: (cursor) => logged('settlements', () => settlements.call(rail, cursor, credentials)),
    }),
    ...(operations && { operations: (since) => operations.call(rail, since, credentials) }),
    ...(check && { check: () => logged('check', () => check.call(rail, credentials)) }),
  }
  return gateway
}

function outcomeIn(answer: unknown): string {
  if (typeof answer === 'string') return answer
  if (typeof answer === 'object' && answer !== null && 'result' in answer) return String(answer.result)
  return 'answered'
}

function problemIn(answer: unknown): string | undefined {
  return typeof answer === 'object' && answer !== null && 'problem' in answer
    ? String(answer.problem)
    : undefined
}
