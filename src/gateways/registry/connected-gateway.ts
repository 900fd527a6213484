import type { Clock } from '../../platform/clock.js'
import type { RailClient } from '../../platform/network/rail-client.js'
import type {
  Credentials,
  FoundOperation,
  GatewayDisputes,
  GatewayOperation,
  GatewayOutcome,
  Rail,
  RailDisputes,
  RailEffects,
  RemoteGateway,
} from '../contract.js'
import { shortProblem } from '../short-problem.js'
import { CircuitBreaker } from './circuit-breaker.js'
import {
  plainCheck,
  plainDescription,
  plainDisputeOutcome,
  plainFound,
  plainNotice,
  plainOperation,
  plainOutcome,
} from './plain-answer.js'
import type { RailEntry } from './rails.js'

/** Log record of a call to a gateway. It contains no card data. */
export interface GatewayCall {
  readonly gateway: string
  readonly call: string
  readonly reference?: string
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

/**
 * Connects a rail with its credentials, behind a circuit breaker. Every call is logged, except `operations`, `receive`
 * and `fieldMethods`.
 */
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
  const { merchant } = credentials
  const breaker = shared ?? new CircuitBreaker(stopwatch, clock, merchant)

  const logged = async <T>(call: string, run: () => Promise<T>, reference?: string): Promise<T> => {
    const begun = stopwatch.now()
    const report = (outcome: string, problem?: string) =>
      onCall({
        gateway: name,
        call,
        outcome,
        milliseconds: Math.round(stopwatch.now() - begun),
        ...(reference !== undefined && { reference }),
        ...(problem !== undefined && { problem: shortProblem(problem) }),
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

  const perform = (operation: GatewayOperation): Promise<GatewayOutcome> =>
    breaker.watch(operation, async () => plainOutcome(await rail.perform(operation, credentials)))

  /** Runs a query; it is logged, and may open or close circuits. */
  const read = <T>(
    call: string,
    run: () => Promise<T>,
    operation?: Pick<GatewayOperation, 'reference' | 'merchant'>,
  ): Promise<T> => logged(call, () => breaker.read(call, operation?.merchant, run), operation?.reference)

  const { cancel, store, findStored, locate, receive, notifications, read: readAbout } = rail
  const { settlements, operations, disputes, check, endpoints, fieldMethods, fields, describe } = rail
  const gateway: RemoteGateway = {
    kind: 'remote',
    name,
    capabilities: rail.capabilities,
    circuits: breaker,
    limitedTo: (budget) => ({
      ...connected(railOver, { ...options, http: budget.client(http) }, breaker),
      perform: gateway.perform,
    }),
    perform: (operation) => logged(operation.type, () => perform(operation), operation.reference),
    find: (operation, sent) =>
      read('find', async () => plainFound(await rail.find(operation, sent, credentials)), operation),
    ...(cancel && {
      cancel: (operation, sent) =>
        read(
          'cancel',
          async () => plainFound(await cancel.call(rail, operation, sent, credentials)),
          operation,
        ),
    }),
    ...(store && {
      store: (operation) =>
        logged(
          'store',
          () =>
            breaker.watch(operation, async () =>
              plainOutcome(await store.call(rail, operation, credentials)),
            ),
          operation.reference,
        ),
    }),
    ...(findStored && {
      findStored: (operation, sent) =>
        read(
          'find_stored',
          async () => plainFound(await findStored.call(rail, operation, sent, credentials)),
          operation,
        ),
    }),
    ...(locate && {
      locate: (sent) => read('locate', () => locate.call(rail, sent, credentials), sent[0]?.operation),
    }),
    ...(receive && { receive: async (headers, body) => receive.call(rail, headers, body, credentials) }),
    ...(notifications && {
      notifications: (cursor) => read('notifications', () => notifications.call(rail, cursor, credentials)),
    }),
    ...(readAbout && {
      read: (notification) =>
        read('read', async () =>
          (await readAbout.call(rail, notification, credentials)).map((notice) => plainNotice(notice)),
        ),
    }),
    ...(settlements && {
      settlements: (cursor, since) =>
        read('settlements', () => settlements.call(rail, cursor, credentials, since)),
    }),
    ...(operations && { operations: (since) => plainOperations(operations.call(rail, since, credentials)) }),
    ...connectedDisputes(disputes, { credentials, read, logged }),
    ...(fieldMethods && { fieldMethods: () => fieldMethods.call(rail, credentials) }),
    ...(fields && {
      fields: (merchant) => read('fields', () => fields.call(rail, merchant, credentials)),
    }),
    ...(describe && {
      describe: (given) =>
        read('describe', async () => plainDescription(await describe.call(rail, given, credentials))),
    }),
    ...(check && {
      check: (facts) =>
        logged('check', async () => (await check.call(rail, facts, credentials)).map(plainCheck)),
    }),
    ...(endpoints && {
      endpoints: {
        list: () => logged('list endpoints', () => endpoints.list(credentials)),
        create: (facts) => logged('create endpoint', () => endpoints.create(facts, credentials)),
        remove: (id) => logged('remove endpoint', () => endpoints.remove(id, credentials)),
      },
    }),
  }
  return gateway
}

/**
 * A connection's credentials and its two ways to run a call. `read` calls are logged and watched by the
 * circuit breaker; `logged` calls are only logged.
 */
interface Calls {
  readonly credentials: Credentials
  read<T>(call: string, run: () => Promise<T>): Promise<T>
  logged<T>(call: string, run: () => Promise<T>, reference?: string): Promise<T>
}

/** The `disputes` of a connected gateway; empty if the rail has none. */
function connectedDisputes(
  disputes: RailDisputes | undefined,
  { credentials, read, logged }: Calls,
): Pick<RemoteGateway, 'disputes'> {
  if (!disputes) return {}
  const connectedOnes: GatewayDisputes = {
    ...disputes,
    read: (at) => read('dispute', async () => (await disputes.read(at, credentials)).map(plainNotice)),
    answer: (answer) =>
      logged(
        `${answer.answer} dispute`,
        async () => plainDisputeOutcome(await disputes.answer(answer, credentials)),
        answer.reference,
      ),
  }
  return { disputes: connectedOnes }
}

async function* plainOperations(list: AsyncIterable<FoundOperation>): AsyncIterable<FoundOperation> {
  for await (const found of list) yield plainOperation(found)
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
