import type { Work } from '../../engine/core/write/work.js'
import type { RemoteGateway } from '../../gateways/contract.js'
import { timeOfId } from '../../schema/id-time.js'
import type { Answer } from './decide-outcome.js'
import { readPending, referenceOf } from './pending-operation.js'
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
 * gateway cannot answer stays open for the next time. Only intents made before `olderThan` (real milliseconds since
 * 1970) are looked up: a younger one may still be on its way to the gateway. Architecture: "Gateways and crashes".
 */
export async function reconcile(
  write: WriteWork,
  gateway: RemoteGateway,
  olderThan: number,
): Promise<Reconciled[]> {
  const reconciled: Reconciled[] = []
  for (const { id, reference } of await write((work) => openIntents(work, olderThan))) {
    const answer = await findOutcome(gateway, reference)
    if (answer !== 'unknown') await write((work) => recordOutcome(work, id, reference, answer))
    reconciled.push({ transactionId: id, result: typeof answer === 'string' ? answer : answer.result })
  }
  return reconciled
}

interface Intent {
  readonly id: string
  readonly reference: string
}

/** The age of an intent is that of its reference: dates in the row follow the clock of the business, which may be moved. */
async function openIntents(work: Work, olderThan: number): Promise<Intent[]> {
  const rows = await work.tx.db
    .selectFrom('transactions')
    .select(['id', 'open_operation'])
    .where('open_operation', 'is not', null)
    .execute()
  return rows.flatMap(({ id, open_operation: open }) => {
    const reference = open === null ? undefined : referenceOf(readPending(open), id)
    return reference === undefined || timeOfId(reference) > olderThan ? [] : [{ id, reference }]
  })
}

/** A gateway that cannot be reached now answers another time: the intent stays open. */
async function findOutcome(gateway: RemoteGateway, reference: string): Promise<Answer | 'unknown'> {
  try {
    return await gateway.find(reference)
  } catch {
    return 'unknown'
  }
}
