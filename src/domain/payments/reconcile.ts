import type { Work } from '../../engine/core/write/work.js'
import type { TransactionRow } from '../../engine/store/database/tables.js'
import type { GatewayOperation, RemoteGateway } from '../../gateways/contract.js'
import { timeOfId } from '../../schema/id-time.js'
import type { Gateways } from '../gateways/gateways.js'
import type { Answer } from './answer.js'
import { answerTo, askAfterCommit } from './ask-gateway.js'
import { pendingRequest } from './gateway-request.js'
import { readPending, writePending } from './pending-operation.js'
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
  gateways: Gateways,
  { now, inFlight }: { readonly now: number; readonly inFlight: number },
): Promise<Reconciled[]> {
  const reconciled: Reconciled[] = []
  const isSending = !(await write((work) => gateways.isCatchingUp(work)))
  for (const intent of await write((work) => openIntents(work, gateways, now - inFlight))) {
    if (intent.kind === 'unsent') {
      if (isSending) await write((work) => send(work, intent))
      continue
    }
    const answer = await findAnswer(intent, now, isSending)
    if (answer !== 'unknown') await write((work) => record(work, intent, answer, isSending))
    reconciled.push({ transactionId: intent.id, result: resultOf(answer) })
  }
  return reconciled
}

/** An operation that waits for its outcome, or a refund that waits until its payment is settled. */
interface Intent {
  readonly kind: 'sent' | 'undo' | 'unsent'
  readonly id: string
  readonly gateway: RemoteGateway
  readonly request: GatewayOperation
  /** When it was made: real milliseconds since 1970. */
  readonly since: number
}

/** The age of an intent is that of its reference: dates in the row follow the clock of the business, which may be moved. */
async function openIntents(work: Work, gateways: Gateways, olderThan: number): Promise<Intent[]> {
  const rows = await work.tx.db
    .selectFrom('transactions')
    .selectAll()
    .where('open_operation', 'is not', null)
    .execute()
  const intents: Intent[] = []
  for (const row of rows) {
    const request = await pendingRequest(work, row)
    const gateway = request && (await gateways.following(work, row))
    if (!gateway) continue
    const since = timeOfId(request.reference)
    const kind = await kindOf(work, row)
    if (kind !== 'waiting' && since <= olderThan) intents.push({ kind, id: row.id, gateway, request, since })
  }
  return intents
}

async function kindOf(
  work: Work,
  { open_operation: open }: TransactionRow,
): Promise<Intent['kind'] | 'waiting'> {
  const pending = readPending(open ?? '')
  if (pending.kind === 'undo') return 'undo'
  if (pending.kind !== 'refund' || !pending.isUnsent) return 'sent'
  const payment = await work.find('transaction', pending.payment)
  return payment?.funding_status === 'pending' ? 'waiting' : 'unsent'
}

/** Sends a refund whose payment is settled now. */
async function send(work: Work, { id, gateway, request }: Intent): Promise<void> {
  const row = await work.lock('transaction', id)
  const pending = row?.open_operation ? readPending(row.open_operation) : undefined
  if (pending?.kind !== 'refund' || !pending.isUnsent) return
  await work.change('transaction', id, {
    open_operation: writePending({ kind: 'refund', payment: pending.payment }),
  })
  askAfterCommit(work, gateway, request, id)
}

/** A gateway that cannot be reached now answers another time: the intent stays open. */
async function findAnswer(
  { kind, gateway, request, since }: Intent,
  now: number,
  isSending: boolean,
): Promise<Answer | 'unknown'> {
  try {
    const found = await gateway.find(request, { since })
    if (found === 'cannot_say') return 'unknown'
    if (found !== 'never_seen') return found
    // Until then the request may be on its way, or not be listed yet.
    if (now - since < gateway.capabilities.horizon) return 'unknown'
    // What was approved in part has to be given back, however often it is asked for.
    if (kind !== 'undo') return found
    return isSending ? await answerTo(gateway, request) : 'unknown'
  } catch {
    return 'unknown'
  }
}

async function record(
  work: Work,
  { id, gateway, request }: Intent,
  answer: Answer,
  isSending: boolean,
): Promise<void> {
  const { partlyApproved } = await recordOutcome(work, id, request, answer)
  // It is asked for again as long as it stands.
  if (partlyApproved && isSending) askAfterCommit(work, gateway, partlyApproved, id)
}

function resultOf(answer: Answer | 'unknown'): Reconciled['result'] {
  if (typeof answer === 'string') return answer
  return answer.result === 'approved' || answer.result === 'declined' ? answer.result : 'unknown'
}
