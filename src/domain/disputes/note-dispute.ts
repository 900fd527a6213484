import type { Work } from '../../engine/core/write/work.js'
import { waitForName } from '../../engine/store/database/differences.js'
import type { DisputeRow, TransactionRow } from '../../engine/store/database/tables.js'
import { resources } from '../../resources/resource-table.js'
import { datetimeOf, millisecondsOf } from '../../schema/datetime.js'

/** Columns of a dispute that a report or an answer changes. Omitted columns keep their values. */
export type DisputeFacts = Partial<
  Pick<
    DisputeRow,
    | 'stage'
    | 'reason'
    | 'amount'
    | 'fee'
    | 'due_by'
    | 'answer'
    | 'answered_at'
    | 'evidence'
    | 'chargeback_id'
    | 'reversal_id'
    | 'pending_operation'
    | 'read_at'
  >
>

/** Milliseconds before a deadline at which its event is fired. */
export const DEADLINE_AHEAD = 3 * 86_400_000

/** Stages in which a dispute takes an answer. */
export const ANSWERABLE: ReadonlySet<string> = new Set(['inquiry', 'needs_response'])

/** Finds a dispute at the gateway of a payment by `reference`, the processor's id of the dispute. */
export async function disputeOf(
  work: Work,
  { gateway }: Pick<TransactionRow, 'gateway'>,
  reference: string,
): Promise<DisputeRow | undefined> {
  const named = await work.findBy(resources.dispute, 'reference', reference)
  return named.find((each) => each.gateway === gateway)
}

/**
 * Records facts about a dispute, with the system's permissions; creates the dispute if it is new. Books no money: the
 * caller has booked the chargeback or reversal that the facts name. Fires the events of a new stage and of a near
 * deadline.
 */
export async function noteDispute(
  work: Work,
  payment: TransactionRow,
  reference: string,
  facts: DisputeFacts,
): Promise<DisputeRow> {
  return await work.asSystem(async () => {
    // Two reports at the same time must not create two disputes.
    await waitForName(work.tx, `dispute ${payment.gateway} ${reference}`)
    const known = await disputeOf(work, payment, reference)
    if (known)
      return await changeDispute(work, (await work.lock(resources.dispute, known.id)) ?? known, facts)
    const row: DisputeRow = {
      ...work.blank(resources.dispute),
      transaction_id: payment.id,
      processing_id: payment.processing_id,
      gateway: payment.gateway,
      gateway_merchant: payment.gateway_merchant,
      reference,
      stage: 'needs_response',
      ...facts,
    }
    const noted = { ...row, ...reminder(work, row) }
    await work.insert(resources.dispute, noted)
    announce(work, noted, 'dispute')
    if (noted.reminded_for !== null) announce(work, noted, 'dispute_due')
    return noted
  })
}

/** Changes the processor's id of an inquiry that has become a chargeback with another id. */
export async function renameInquiry(
  work: Work,
  payment: TransactionRow,
  inquiry: string,
  reference: string,
): Promise<void> {
  await work.asSystem(async () => {
    const known = await disputeOf(work, payment, inquiry)
    if (known && known.chargeback_id === null) await work.change(resources.dispute, known.id, { reference })
  })
}

/**
 * Changes a known dispute, and fires the events of a new stage and of a near deadline. While the outcome of an answer is
 * unknown, the dispute stays due to be read, whatever its gateway reports.
 */
export async function changeDispute(
  work: Work,
  before: DisputeRow,
  facts: DisputeFacts,
): Promise<DisputeRow> {
  const { pending_operation: pending = before.pending_operation } = facts
  const changes = changesIn(before, pending === null ? facts : { ...facts, read_at: before.read_at })
  const near = reminder(work, { ...before, ...changes })
  if (Object.keys(changes).length === 0 && near === undefined) return before
  const after = await work.change(resources.dispute, before.id, { ...changes, ...near })
  if (after.stage !== before.stage) announce(work, after, 'dispute')
  if (near) announce(work, after, 'dispute_due')
  return after
}

/** Fires the event of a near deadline, once for each date. Returns whether it was fired. */
export async function remindOf(work: Work, id: string): Promise<boolean> {
  const row = await work.lock(resources.dispute, id)
  const near = row && reminder(work, row)
  if (!near) return false
  announce(work, await work.change(resources.dispute, id, near), 'dispute_due')
  return true
}

function changesIn(before: DisputeRow, facts: DisputeFacts): DisputeFacts {
  const known: DisputeFacts = before
  return Object.fromEntries(
    Object.entries(facts).filter(([name, value]) => value !== known[name as keyof DisputeFacts]),
  )
}

/** Column that records the event of a near deadline; undefined if no event is to be fired. */
function reminder(
  work: Work,
  { stage, due_by: dueBy, reminded_for: before, answered_at: answered }: DisputeRow,
): Pick<DisputeRow, 'reminded_for'> | undefined {
  if (dueBy === null || dueBy === before || answered !== null || !ANSWERABLE.has(stage ?? ''))
    return undefined
  const isNear = work.milliseconds >= millisecondsOf(dueBy) - DEADLINE_AHEAD
  return isNear && dueBy > datetimeOf(work.milliseconds) ? { reminded_for: dueBy } : undefined
}

function announce(
  work: Work,
  { id, stage, processing_id: processingId }: DisputeRow,
  trigger: 'dispute' | 'dispute_due',
): void {
  work.emit({ trigger, object: resources.dispute, id, value: stage, processingId })
}
