import type { Work } from '../../../engine/core/write/work.js'
import type { WorkRunner } from '../../../engine/jobs/due-job.js'
import { severalAtOnce } from '../../../engine/jobs/several-at-once.js'
import type { TransactionRow } from '../../../engine/store/database/tables.js'
import type { Located, RemoteGateway, SentOperation } from '../../../gateways/contract.js'
import type { ReadBudget } from '../../../platform/network/read-budget.js'
import { resources } from '../../../resources/resource-table.js'
import { timeOfId } from '../../../schema/id-time.js'
import { type Gateways, limitedBy } from '../../gateways/gateways.js'
import { isAwaitingPayer, isWaitOver, outcomeOfCancelling } from '../pending/awaited-payer.js'
import type { Answer } from '../pending/gateway-answer.js'
import { pendingRequest } from '../pending/gateway-request.js'
import { readPending, sendingOf, writePending } from '../pending/pending-operation.js'
import { answerTo, askAfterCommit } from './ask-gateway.js'
import { recordOutcome } from './record-outcome.js'

/** Result of the query for the outcome of one operation. */
export interface Reconciled {
  readonly transactionId: string
  readonly result: 'approved' | 'declined' | 'never_seen' | 'unknown'
  /** Whether the gateway was queried before the budget was spent. */
  readonly isTried: boolean
}

/** Search for outcomes at one gateway. */
export interface OutcomeSearch {
  /** Name of the gateway. */
  readonly name: string
  /** Milliseconds since 1970. */
  readonly now: number
  /** Milliseconds of real time for which a request may still be on its way. */
  readonly inFlight: number
  /** Limits of time and bytes for reading from the gateway; omitted for none. */
  readonly budget?: ReadBudget
  /** Id of the transaction at which the last search ended; this search begins with the next one. */
  readonly after?: string | undefined
}

/**
 * Finds pending operations of a gateway, queries it by reference, and records the answers. A gateway that offers lists
 * is read once for all operations. Operations without an answer stay pending until the next run, as do those that were
 * not queried before the budget was spent. Skips operations that began less than `inFlight` (real milliseconds) before
 * `now`: their request may still be on its way. See docs/gateways.md, "Answers of a gateway, and their effect".
 */
export async function reconcile(
  { read, write }: WorkRunner,
  gateways: Gateways,
  { name, now, inFlight, budget, after = '' }: OutcomeSearch,
): Promise<Reconciled[]> {
  const stopping = budget?.signal
  const isSending = !(await read((work) => gateways.isCatchingUp(work)))
  const found = await read((work) => openIntents(work, gateways, { name, olderThan: now - inFlight, budget }))
  const intents = [...found.filter(({ id }) => id > after), ...found.filter(({ id }) => id <= after)]
  const unsent = isSending ? intents.filter(({ kind }) => kind === 'unsent') : []
  await severalAtOnce(unsent, async (intent) => {
    if (!stopping?.aborted) await write((work) => send(work, intent))
  })
  const sent = intents.filter(({ kind }) => kind !== 'unsent')
  const located = await locate(sent, stopping)
  return await severalAtOnce(sent, async (intent) => {
    const where = located.get(intent.operation.reference)
    const isTried = budget?.end === undefined
    const answer = isTried ? await findOutcome(intent, where, { now, isSending }) : 'unknown'
    if (answer !== 'unknown') await write((work) => recordFound(work, intent, answer, isSending))
    return { transactionId: intent.id, result: resultOf(answer), isTried }
  })
}

/** An operation that waits for its outcome, or a refund that waits for its payment to settle. */
export interface PendingIntent extends SentOperation {
  readonly kind: 'sent' | 'undo' | 'unsent'
  readonly id: string
  readonly gateway: RemoteGateway
  readonly gatewayId: string | null
  /** Set if the payment waits for its payer to authenticate; `over` if the time for that has passed. */
  readonly awaits?: 'payer' | 'over' | undefined
}

/**
 * Pending operations that began before `olderThan`. The time is read from their ids, because dates in the row follow
 * the environment's clock, which operators may move.
 */
async function openIntents(
  work: Work,
  gateways: Gateways,
  {
    name,
    olderThan,
    budget,
  }: { readonly name: string; readonly olderThan: number; readonly budget: ReadBudget | undefined },
): Promise<PendingIntent[]> {
  const rows = await openOperations(work, gateways, name)
  const intents: PendingIntent[] = []
  for (const row of rows) {
    const intent = await intentOf(work, gateways, row)
    if (!intent || intent.since > olderThan) continue
    intents.push({ ...intent, gateway: limitedBy(budget, intent.gateway) })
  }
  return intents
}

/** The pending operation of a transaction; undefined if no gateway can be queried about it now. */
export async function intentOf(
  work: Work,
  gateways: Gateways,
  row: TransactionRow,
): Promise<PendingIntent | undefined> {
  const operation = await pendingRequest(work, row)
  const kind = await kindOf(work, row)
  if (!operation || kind === 'waiting') return undefined
  // A paused gateway is queried for sent operations; unsent ones are not sent to it.
  const gateway =
    kind === 'unsent' ? await gateways.forOperation(work, row) : await gateways.forStatus(work, row)
  if (gateway?.kind !== 'remote') return undefined
  const since = timeOfId(sendingOf(readPending(row.pending_operation ?? ''), operation.reference))
  // For a capture or a void, `gateway_id` of the row is the id of the payment.
  const gatewayId = operation.reference === row.id ? row.gateway_id : null
  return { kind, id: row.id, gateway, operation, since, gatewayId, awaits: awaitedIn(work, row) }
}

/** The transactions of a gateway with an operation that has no outcome, in the order of their ids. */
async function openOperations(work: Work, gateways: Gateways, name: string): Promise<TransactionRow[]> {
  const rows = await work.tx.db
    .selectFrom('transactions')
    .selectAll()
    .where('pending_operation', 'is not', null)
    .orderBy('id')
    .execute()
  const own: TransactionRow[] = []
  for (const row of rows) if ((await gateways.laneOf(work, row)) === name) own.push(row)
  return own
}

function awaitedIn({ now }: Work, row: TransactionRow): PendingIntent['awaits'] {
  if (!isAwaitingPayer(row)) return undefined
  return isWaitOver(row, now) ? 'over' : 'payer'
}

async function kindOf(
  work: Work,
  { pending_operation: open }: TransactionRow,
): Promise<PendingIntent['kind'] | 'waiting'> {
  const pending = readPending(open ?? '')
  if (pending.kind === 'undo') return 'undo'
  if (pending.kind !== 'refund' || !pending.isUnsent) return 'sent'
  const payment = await work.find(resources.transaction, pending.payment)
  return payment?.funding_status === 'pending' ? 'waiting' : 'unsent'
}

/** Sends a refund whose payment is settled now. */
async function send(work: Work, { id, gateway, operation }: PendingIntent): Promise<void> {
  const row = await work.lock(resources.transaction, id)
  const pending = row?.pending_operation ? readPending(row.pending_operation) : undefined
  if (pending?.kind !== 'refund' || !pending.isUnsent) return
  await work.change(resources.transaction, id, {
    pending_operation: writePending({
      kind: 'refund',
      payment: pending.payment,
      sending: work.newId('op_'),
    }),
  })
  askAfterCommit(work, gateway, operation, id)
}

/** Finds operations in the lists of their gateways, by reference. */
async function locate(
  intents: readonly PendingIntent[],
  stopping: AbortSignal | undefined,
): Promise<ReadonlyMap<string, Located>> {
  const ofMerchants = new Map<string, PendingIntent[]>()
  for (const intent of intents.filter(({ gatewayId }) => gatewayId === null)) {
    const merchant = `${intent.gateway.name} ${intent.operation.merchant ?? ''}`
    const others = ofMerchants.get(merchant)
    if (others) others.push(intent)
    else ofMerchants.set(merchant, [intent])
  }
  const located = new Map<string, Located>()
  for (const sent of ofMerchants.values()) {
    if (stopping?.aborted) break
    for (const [reference, where] of await locateFor(sent)) located.set(reference, where)
  }
  return located
}

/** Finds the operations of one merchant in its gateway's list; `cannot_say` for all if the list cannot be read now. */
async function locateFor(sent: readonly PendingIntent[]): Promise<ReadonlyMap<string, Located>> {
  try {
    return (await sent[0]?.gateway.locate?.(sent)) ?? new Map()
  } catch {
    return new Map(sent.map(({ operation }) => [operation.reference, 'cannot_say']))
  }
}

/**
 * Queries the gateway for the outcome of an operation. `unknown` if there is no answer now: the operation stays pending
 * and is queried again.
 */
export async function findOutcome(
  { kind, gateway, operation, since, gatewayId, awaits }: PendingIntent,
  located: Located | undefined,
  { now, isSending }: { readonly now: number; readonly isSending: boolean },
): Promise<Answer | 'unknown'> {
  try {
    const found =
      typeof located === 'string'
        ? located
        : await gateway.find(operation, { since, gatewayId: located?.gatewayId ?? gatewayId })
    if (found === 'cannot_say') return 'unknown'
    if (found !== 'never_seen') {
      if (!isCancelled(found, awaits)) return found
      return isSending ? await outcomeOfCancelling(gateway, operation, { since, gatewayId }) : 'unknown'
    }
    // Until `horizon` has passed, the request may be on its way, or the gateway may not list the operation yet.
    if (now - since < gateway.capabilities.horizon) return 'unknown'
    // The void of a partial approval is sent again until it succeeds.
    if (kind !== 'undo') return found
    return isSending ? await answerTo(gateway, operation) : 'unknown'
  } catch {
    return 'unknown'
  }
}

/**
 * Whether to cancel a payment at the gateway, because its payer could still complete it there. That is so after a
 * declined attempt, or when the time to authenticate is over.
 */
function isCancelled(found: Exclude<Answer, string>, awaits: PendingIntent['awaits']): boolean {
  if (awaits === undefined) return false
  return found.result === 'declined' || (found.result === 'action' && awaits === 'over')
}

/** Records what the gateway has answered about an operation. */
export async function recordFound(
  work: Work,
  { id, gateway, operation }: PendingIntent,
  answer: Answer,
  isSending: boolean,
): Promise<void> {
  const { partlyApproved } = await recordOutcome(work, id, operation, answer)
  // The approved part must be voided at the gateway.
  if (partlyApproved && isSending) askAfterCommit(work, gateway, partlyApproved, id)
}

function resultOf(answer: Answer | 'unknown'): Reconciled['result'] {
  if (typeof answer === 'string') return answer
  return answer.result === 'approved' || answer.result === 'declined' ? answer.result : 'unknown'
}
