import type { Work } from '../../engine/core/write/work.js'
import { prepared } from '../../engine/store/database/prepared.js'
import type { SettlementLineRow, TransactionRow } from '../../engine/store/database/tables.js'
import type { GatewaySettlementLine } from '../../gateways/contract.js'
import { resources } from '../../resources/resource-table.js'
import { CURRENCY } from '../../schema/money.js'
import { undoLoss } from '../exceptions/book-resolution.js'
import { closeExplained } from '../exceptions/close-exception.js'
import { raiseException, waitForMismatch } from '../exceptions/raise-exception.js'
import { payoutsIn } from '../ledger/payouts.js'
import { reversed } from '../ledger/postings.js'
import { writePostings } from '../ledger/write-postings.js'
import { directionOf, isRaised } from './explained-line.js'
import { exceptionAbout, findPlace, type LinePlace, type LineSource } from './find-place.js'
import type { foreignLineOf } from './foreign-lines.js'
import { type BookedLine, foreignBooked, isPlaced, linePostings } from './line-postings.js'

/** Stores a new line, matches it with its transaction and books it. A line that does not fit gets an exception. */
export async function storeLine(work: Work, source: LineSource, line: GatewaySettlementLine): Promise<void> {
  const { settlement, gateway } = source
  const before = await work.findBy(resources.settlement_line, 'line_id', line.id)
  const isRepeated = before.some(
    (each) => each.gateway === gateway.name && each.kind === line.kind && each.status !== 'failed',
  )
  const row: SettlementLineRow = {
    ...work.blank(resources.settlement_line),
    settlement_id: settlement.id,
    gateway: gateway.name,
    line_id: line.id,
    kind: line.kind,
    amount: line.amount,
    fee: line.fee,
    reference: line.reference ?? null,
    gateway_id: line.gatewayId ?? null,
    parent_id: line.parentId ?? null,
    gateway_type: line.type ?? null,
    description: wordsOf(line.description),
    status: 'unmatched',
    booked: 'nothing',
  }
  if (isRepeated) {
    await work.insert(resources.settlement_line, { ...row, status: 'repeated' })
    return
  }
  const place = await findPlace(work, source, line)
  await work.insert(resources.settlement_line, { ...row, ...columnsOf(place) })
  await take(work, source, { row, line, place })
}

/** Stores the line that sums up foreign payments: their money passes through our account at the gateway. */
export async function storeForeign(
  work: Work,
  { settlement, gateway }: Pick<LineSource, 'settlement' | 'gateway'>,
  { id, kind, count, amount, fee }: ReturnType<typeof foreignLineOf>,
): Promise<void> {
  const status = 'matched'
  const rail = { isOurCurrency: settlement.currency === CURRENCY, reportsPayouts: settlement.net !== null }
  const booked = foreignBooked(rail, payoutsIn(work.environment, null))
  const line = { kind, amount, fee, status, booked } as const
  const row: SettlementLineRow = {
    ...work.blank(resources.settlement_line),
    settlement_id: settlement.id,
    gateway: gateway.name,
    line_id: id,
    count,
    ...line,
  }
  await work.insert(resources.settlement_line, row)
  await writePostings(work, 'settlement_line', row, linePostings(line))
}

/**
 * Searches again for the transaction of a line that had none. Returns the changed line if it is matched now; undefined
 * otherwise.
 */
export async function placeLine(work: Work, source: LineSource, id: string): Promise<PlacedLine | undefined> {
  const row = await work.lock(resources.settlement_line, id)
  if (row?.status !== 'unmatched' && row?.status !== 'waiting') return undefined
  const line = lineOf(row)
  const place = await findPlace(work, { ...source, accountOfRest: row.processing_id }, line)
  const columns = columnsOf(place)
  if (columns.status === row.status && columns.transaction_id === row.transaction_id) return undefined
  const changed = await work.change(resources.settlement_line, id, columns)
  await take(work, source, { row, line, place })
  return isPlaced(columns) ? { before: row, line: changed, ours: place.ours } : undefined
}

/** A line that is matched now, with its transaction if it has one. */
export interface PlacedLine {
  /** The line's row before this change. */
  readonly before: SettlementLineRow
  readonly line: SettlementLineRow
  readonly ours: TransactionRow | undefined
}

/** Longest description that is stored, in characters. */
const MAX_WORDS = 300

/** A description without control characters, cut to `MAX_WORDS`. */
function wordsOf(description: string | undefined): string | null {
  return description?.replace(/\p{C}+/gu, ' ').slice(0, MAX_WORDS) || null
}

/** A stored line in the form in which its gateway reported it. */
function lineOf(row: SettlementLineRow): GatewaySettlementLine {
  const { line_id: id, kind, amount, fee, reference, gateway_id: gatewayId, parent_id: parentId } = row
  return {
    id: id ?? '',
    kind: kind === null || kind === 'foreign' ? 'other' : kind,
    amount: amount ?? 0,
    fee,
    type: row.gateway_type ?? undefined,
    description: row.description ?? undefined,
    reference: reference ?? undefined,
    gatewayId: gatewayId ?? undefined,
    parentId: parentId ?? undefined,
  }
}

function columnsOf({ decision: { status, difference }, ours, explanation, account, booked }: LinePlace) {
  return {
    status,
    difference,
    booked,
    processing_id: account,
    transaction_id: ours?.id ?? null,
    exception_id: explanation?.id ?? null,
  }
}

interface TakenLine {
  /** The stored row before this change; a new one has no postings. */
  readonly row: SettlementLineRow
  readonly line: GatewaySettlementLine
  readonly place: LinePlace
}

/**
 * Books a line for its transaction and account. Stored postings are never changed, so the line's earlier postings are
 * reversed.
 */
async function take(work: Work, source: LineSource, { row, line, place }: TakenLine): Promise<void> {
  const { decision, ours, explanation, account, booked } = place
  const before: BookedLine = { ...line, status: row.status ?? 'unmatched', booked: row.booked ?? 'nothing' }
  const after: BookedLine = { ...line, status: decision.status, booked }
  await writePostings(work, 'settlement_line', row, reversed(linePostings(before)))
  await writePostings(work, 'settlement_line', { id: row.id, processing_id: account }, linePostings(after))
  if (ours && !explanation && isPlaced(decision))
    await work.tx.change(capture, { id: ours.id, now: work.now })
  await note(work, source, line, place)
}

/** Opens a reconciliation exception for a line that does not fit, and closes the exception once the line fits. */
async function note(
  work: Work,
  { settlement, gateway }: LineSource,
  line: GatewaySettlementLine,
  { decision: { status, difference, exception }, ours, account }: LinePlace,
): Promise<void> {
  const own = exceptionAbout(gateway.name, line)
  // A line that was linked may still differ from its transaction.
  const about = status === 'differs' ? `difference of ${own}` : own
  if (ours) await explainMissing(work, ours.id)
  if (!exception) {
    await explain(work, about, 'Its transaction was found later')
    return
  }
  if (about !== own) await explain(work, own, 'Its transaction was found later')
  const amount = exception.amount ?? Math.abs(line.amount)
  if (await isRaised(work, gateway.name, line, { about, amount })) return
  await raiseException(work, {
    ...exception,
    transaction: ours,
    amount,
    processingId: account,
    direction: directionOf({ amount: status === 'differs' ? (difference ?? 0) : line.amount }),
    isLine: true,
    about: exception.kind === 'late_approval' ? `late approval of ${ours?.id}` : about,
    gateway: gateway.name,
    gatewayId: line.gatewayId ?? line.id,
    notice: JSON.stringify({ settlement: settlement.gateway_id, ...line }),
  })
}

/** Key of the exception for a transaction without a settlement. */
export function missingAbout(transactionId: string): string {
  return `no settlement of ${transactionId}`
}

async function explain(work: Work, about: string, reason: string): Promise<void> {
  const [raised] = await work.findBy(resources.exception, 'about', about)
  if (raised?.status === 'open') await closeExplained(work, raised, reason)
}

/** Closes the exception of a transaction that is settled after all, and reverses its loss. */
async function explainMissing(work: Work, transactionId: string): Promise<void> {
  const about = missingAbout(transactionId)
  await waitForMismatch(work, about)
  const [raised] = await work.findBy(resources.exception, 'about', about)
  if (raised?.resolution === 'loss') await undoLoss(work, raised)
  else if (raised?.status !== 'open') return
  await closeExplained(work, raised, 'It was settled later')
}

/** Captures a settled payment: it can no longer be voided, and still waits for the end of its business day. */
const capture = prepared<{ readonly id: string; readonly now: string }, never>((db, param) =>
  db
    .updateTable('transactions')
    .set({ funding_status: 'captured', modified_at: param('now') })
    .where('id', '=', param('id'))
    .where('funding_status', '=', 'pending')
    .where('status', '=', 'processed'),
)
