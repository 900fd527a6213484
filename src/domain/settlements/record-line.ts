import type { Work } from '../../engine/core/write/work.js'
import { prepared } from '../../engine/store/database/prepared.js'
import type {
  ExceptionRow,
  SettlementLineRow,
  SettlementRow,
  TransactionRow,
} from '../../engine/store/database/tables.js'
import type { GatewaySettlementLine, RemoteGateway } from '../../gateways/contract.js'
import { resources } from '../../resources/resource-table.js'
import { CURRENCY } from '../../schema/money.js'
import { undoLoss } from '../exceptions/book-loss.js'
import { closeExplained } from '../exceptions/close-exception.js'
import { raiseException } from '../exceptions/raise-exception.js'
import { payoutsIn, payoutsOf } from '../ledger/payouts.js'
import { reversed } from '../ledger/postings.js'
import { writePostings } from '../ledger/write-postings.js'
import { decideLine, type LineDecision } from './decide-line.js'
import { isRaised, lossOf } from './explained-line.js'
import { type Booked, type BookedLine, bookedOf, isPlaced, linePostings } from './line-postings.js'
import { matchLine } from './match-line.js'

/** The settlement of a line, and the gateway that reports it. */
export interface LineSource {
  readonly settlement: Pick<SettlementRow, 'id' | 'gateway_id' | 'currency' | 'net'>
  readonly gateway: Pick<RemoteGateway, 'name' | 'capabilities'>
  /** Account that bears fees without a transaction; null if the gateway serves several accounts. */
  readonly accountOfFees: string | null
}

/** Stores a line that is new: matched with its transaction, booked, or among the exceptions. */
export async function storeLine(work: Work, source: LineSource, line: GatewaySettlementLine): Promise<void> {
  const { settlement, gateway } = source
  const before = await work.findBy(resources.settlement_line, 'line_id', line.id)
  const isRepeated = before.some((each) => each.gateway === gateway.name && each.kind === line.kind)
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

/** Looks again for the transaction of a line that had none; returns whether it was found. */
export async function placeLine(work: Work, source: LineSource, id: string): Promise<boolean> {
  const row = await work.lock(resources.settlement_line, id)
  if (row?.status !== 'unmatched' && row?.status !== 'waiting') return false
  const line = lineOf(row)
  const place = await findPlace(work, source, line)
  const columns = columnsOf(place)
  if (columns.status === row.status && columns.transaction_id === row.transaction_id) return false
  await work.change(resources.settlement_line, id, columns)
  await take(work, source, { row, line, place })
  return isPlaced(columns)
}

/** A stored line in the form in which its gateway reported it. */
function lineOf(row: SettlementLineRow): GatewaySettlementLine {
  const { line_id: id, kind, amount, fee, reference, gateway_id: gatewayId, parent_id: parentId } = row
  return {
    id: id ?? '',
    kind: kind ?? 'other',
    amount: amount ?? 0,
    fee,
    reference: reference ?? undefined,
    gatewayId: gatewayId ?? undefined,
    parentId: parentId ?? undefined,
  }
}

/** Decision on a line, with the transaction and the account that it belongs to. */
interface Place {
  readonly decision: LineDecision
  readonly ours: TransactionRow | undefined
  /** The exception that was resolved as the line's loss. */
  readonly loss: ExceptionRow | undefined
  readonly account: string | null
  readonly booked: Booked
}

async function findPlace(
  work: Work,
  { settlement, gateway, accountOfFees }: LineSource,
  line: GatewaySettlementLine,
): Promise<Place> {
  const isOurCurrency = settlement.currency === CURRENCY
  const ours = (await matchLine(work, gateway.name, line)) ?? (await linkedTo(work, gateway.name, line))
  const voidsByRefund = gateway.capabilities.voidCaptured === 'refund'
  const settledBy = ours && (await lineThatSettles(work, ours, line))
  const decided = decideLine(line, ours, { voidsByRefund, isOurCurrency, settledBy })
  const loss =
    decided.status === 'unmatched' && isOurCurrency ? await lossOf(work, gateway.name, line) : undefined
  const decision: LineDecision = loss ? { status: 'matched', difference: 0 } : decided
  const named = loss ?? ours
  const account = line.kind === 'fee' ? accountOfFees : (named?.processing_id ?? null)
  const payouts =
    account === null ? payoutsIn(work.environment, null) : await payoutsOf(work, { processing_id: account })
  const reportsPayouts = settlement.net !== null
  const booked = bookedOf(decision, { isOurCurrency, reportsPayouts }, payouts)
  return { decision, ours, loss, account, booked }
}

/** The gateway's id of another line that settles a transaction whole, in the same direction. */
async function lineThatSettles(
  work: Work,
  { id }: TransactionRow,
  line: GatewaySettlementLine,
): Promise<string | undefined> {
  const lines = await work.findBy(resources.settlement_line, 'transaction_id', id)
  const before = lines.find(
    ({ line_id, kind, amount, status }) =>
      status === 'matched' &&
      line_id !== line.id &&
      kind === line.kind &&
      (amount ?? 0) > 0 === line.amount > 0,
  )
  return before?.line_id ?? undefined
}

function columnsOf({ decision: { status, difference }, ours, loss, account, booked }: Place) {
  return {
    status,
    difference,
    booked,
    processing_id: account,
    transaction_id: ours?.id ?? null,
    exception_id: loss?.id ?? null,
  }
}

interface TakenLine {
  /** The stored row before this change; a new one has no postings. */
  readonly row: SettlementLineRow
  readonly line: GatewaySettlementLine
  readonly place: Place
}

/**
 * Books a line in its place. Journal entries are only ever added, so the earlier postings of the line are reversed.
 */
async function take(work: Work, source: LineSource, { row, line, place }: TakenLine): Promise<void> {
  const { decision, ours, loss, account, booked } = place
  const before: BookedLine = { ...line, status: row.status ?? 'unmatched', booked: row.booked ?? 'nothing' }
  const after: BookedLine = { ...line, status: decision.status, booked }
  await writePostings(work, 'settlement_line', row, reversed(linePostings(before)))
  await writePostings(work, 'settlement_line', { id: row.id, processing_id: account }, linePostings(after))
  if (ours && !loss && isPlaced(decision)) await work.tx.change(capture, { id: ours.id, now: work.now })
  await note(work, source, line, ours, decision)
}

/** Raises an exception for a line that does not fit, and closes it once the line fits. */
async function note(
  work: Work,
  { settlement, gateway }: LineSource,
  line: GatewaySettlementLine,
  ours: TransactionRow | undefined,
  { exception }: LineDecision,
): Promise<void> {
  const about = exceptionAbout(gateway.name, line)
  if (ours) await explainMissing(work, ours.id)
  if (!exception) {
    await explain(work, about, 'What it is about was found later')
    return
  }
  const amount = exception.amount ?? Math.abs(line.amount)
  if (await isRaised(work, gateway.name, line, { about, amount })) return
  await raiseException(work, {
    ...exception,
    transaction: ours,
    amount,
    about: exception.kind === 'late_approval' ? `late approval of ${ours?.id}` : about,
    gateway: gateway.name,
    gatewayId: line.gatewayId ?? line.id,
    notice: JSON.stringify({ settlement: settlement.gateway_id, ...line }),
  })
}

function exceptionAbout(gateway: string, { kind, id }: Pick<GatewaySettlementLine, 'kind' | 'id'>): string {
  return `settlement line ${gateway} ${kind} ${id}`
}

/** Key of the exception for a transaction without a settlement. */
export function missingAbout(transactionId: string): string {
  return `no settlement of ${transactionId}`
}

/** The transaction to which an operator has linked a line without one. */
async function linkedTo(
  work: Work,
  gateway: string,
  line: GatewaySettlementLine,
): Promise<TransactionRow | undefined> {
  const [raised] = await work.findBy(resources.exception, 'about', exceptionAbout(gateway, line))
  if (raised?.resolution !== 'link' || raised.transaction_id === null) return undefined
  const linked = await work.find(resources.transaction, raised.transaction_id)
  return linked?.gateway === gateway ? linked : undefined
}

async function explain(work: Work, about: string, reason: string): Promise<void> {
  const [raised] = await work.findBy(resources.exception, 'about', about)
  if (raised?.status === 'open') await closeExplained(work, raised, reason)
}

/** Closes the exception of a transaction that is settled after all, and reverses its loss. */
async function explainMissing(work: Work, transactionId: string): Promise<void> {
  const [raised] = await work.findBy(resources.exception, 'about', missingAbout(transactionId))
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
