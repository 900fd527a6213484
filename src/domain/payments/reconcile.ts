import type { Work } from '../../engine/core/write/work.js'
import type { GatewayOperation, RemoteGateway } from '../../gateways/contract.js'
import { timeOfId } from '../../schema/id-time.js'
import { decidingAnswer } from './ask-gateway.js'
import type { Answer } from './decide-outcome.js'
import { pendingRequest } from './gateway-request.js'
import { recordOutcome } from './record-outcome.js'

/** Runs a unit of work as the operator. */
export type WriteWork = <T>(job: (work: Work) => Promise<T>) => Promise<T>

/** What became of an intent without outcome. */
export interface Reconciled {
  readonly transactionId: string
  readonly result: 'approved' | 'declined' | 'never_seen' | 'unknown'
}

/**
 * Finds operations whose outcome is not known, asks the gateway by reference and records what it says; what the
 * gateway cannot answer stays open for the next time. Only intents made before `now - inFlight` (real milliseconds) are
 * looked up: a younger one may still be on its way to the gateway. Architecture: "Gateways and crashes".
 */
export async function reconcile(
  write: WriteWork,
  gateway: RemoteGateway,
  { now, inFlight }: { readonly now: number; readonly inFlight: number },
): Promise<Reconciled[]> {
  const reconciled: Reconciled[] = []
  for (const { id, request, since } of await write((work) => openIntents(work, now - inFlight))) {
    const found = await findOutcome(gateway, request, since)
    // Until then the request may be on its way, or not be listed yet.
    const isTooEarly = found === 'never_seen' && now - since < gateway.capabilities.horizon
    const answer = isTooEarly ? 'unknown' : found
    if (answer !== 'unknown') await write((work) => recordOutcome(work, id, request.reference, answer))
    reconciled.push({ transactionId: id, result: typeof answer === 'string' ? answer : answer.result })
  }
  return reconciled
}

interface Intent {
  readonly id: string
  readonly request: GatewayOperation
  /** When it was made: real milliseconds since 1970. */
  readonly since: number
}

/** The age of an intent is that of its reference: dates in the row follow the clock of the business, which may be moved. */
async function openIntents(work: Work, olderThan: number): Promise<Intent[]> {
  const rows = await work.tx.db
    .selectFrom('transactions')
    .selectAll()
    .where('open_operation', 'is not', null)
    .execute()
  const intents: Intent[] = []
  for (const row of rows) {
    const request = await pendingRequest(work, row)
    if (!request) continue
    const since = timeOfId(request.reference)
    if (since <= olderThan) intents.push({ id: row.id, request, since })
  }
  return intents
}

/** A gateway that cannot be reached now answers another time: the intent stays open. */
async function findOutcome(
  gateway: RemoteGateway,
  request: GatewayOperation,
  since: number,
): Promise<Answer | 'unknown'> {
  try {
    return decidingAnswer(await gateway.find(request, { since }))
  } catch {
    return 'unknown'
  }
}
