import type { Work } from '../../engine/core/write/work.js'
import type { WorkRunner } from '../../engine/jobs/due-job.js'
import { waitForName } from '../../engine/store/database/differences.js'
import type { SettlementLineRow, SettlementRow } from '../../engine/store/database/tables.js'
import type { GatewaySettlement, GatewaySettlementLine, RemoteGateway } from '../../gateways/contract.js'
import { resources } from '../../resources/resource-table.js'
import { formatMoney } from '../../schema/money.js'
import { raiseException } from '../exceptions/raise-exception.js'
import { accountOfRestIn } from './account-of-rest.js'
import { closeFailedPayout, failRepaid } from './fail-payout.js'
import type { LineSource } from './find-place.js'
import { divideLines, foreignLineOf } from './foreign-lines.js'
import type { LineKind } from './line-postings.js'
import { mirrorPayouts } from './mirror-payouts.js'
import { storeForeign, storeLine } from './record-line.js'

/** Lines stored in one unit of work. */
const BATCH_SIZE = 50

/**
 * Stores a settlement of a gateway in short units of work, and returns the number of new lines. Stored lines are
 * compared and remain unchanged.
 */
export async function storeSettlement(
  { read, write }: WorkRunner,
  gateway: RemoteGateway,
  batch: GatewaySettlement,
): Promise<number> {
  const known = await read((work) => findSettlement(work, gateway.name, batch.id))
  const settlement = known ?? (await write((work) => beginSettlement(work, gateway.name, batch)))
  // The lines of a payout that did not arrive are paid out with a later one.
  if (settlement.status === 'failed') return 0
  const stored = await read((work) => linesOf(work, settlement.id))
  const { own, foreign } = await read((work) => divided(work, gateway.name, batch, stored))
  const isKnown = foreign === undefined || stored.has(keyOf(foreign))
  const lines = foreign && isKnown ? [...own, foreign] : own
  const changed = lines.filter((line) => isChanged(line, stored.get(keyOf(line))))
  const isOther = isOtherThan(settlement, batch)
  if (changed.length > 0 || isOther) await write((work) => raiseChanged(work, settlement, batch, changed))
  const fresh = own.filter((line) => !stored.has(keyOf(line)))
  if (fresh.length === 0 && isKnown && settlement.status === 'complete') return 0
  // This payout repeats earlier payouts that did not arrive. They are recorded as failed, because their lines are the
  // same.
  for (const payout of batch.repays ?? []) await write((work) => failRepaid(work, gateway.name, payout))
  const accountOfRest = await read((work) => accountOfRestIn(work, gateway.name, batch))
  const source: LineSource = { settlement, gateway, accountOfRest, lines: batch.lines }
  for (let start = 0; start < fresh.length; start += BATCH_SIZE)
    await write((work) => storeLines(work, source, fresh.slice(start, start + BATCH_SIZE)))
  await write(async (work) => {
    if (!(await completeSettlement(work, source, batch))) return
    await mirrorPayouts(work, settlement.id)
    for (const payout of batch.repays ?? []) await closeFailedPayout(work, gateway.name, payout, batch.id)
  })
  return fresh.length
}

type ForeignLine = ReturnType<typeof foreignLineOf>

/** Lines as this process divides them. Another one may divide them otherwise, once more payments are known. */
interface Division {
  /** The lines that are stored one by one. */
  readonly own: readonly GatewaySettlementLine[]
  /** The line that sums up all foreign ones; undefined if there are none. */
  readonly foreign: ForeignLine | undefined
}

async function divided(
  work: Work,
  gateway: string,
  { id, lines }: GatewaySettlement,
  stored: ReadonlyMap<string, Line>,
): Promise<Division> {
  const isStored = (line: GatewaySettlementLine) => stored.has(keyOf(line))
  const rest = lines.filter((line) => !isStored(line))
  // The foreign line is stored last. If it is stored, all lines that are not stored are foreign.
  const { own, foreign } = stored.has(keyOf({ kind: 'foreign', id }))
    ? { own: [], foreign: rest }
    : await divideLines(work, gateway, rest)
  return { own: [...lines.filter(isStored), ...own], foreign: foreignOf(id, foreign) }
}

function foreignOf(id: string, lines: readonly GatewaySettlementLine[]): ForeignLine | undefined {
  return lines.length === 0 ? undefined : foreignLineOf(id, lines)
}

async function findSettlement(work: Work, gateway: string, id: string): Promise<SettlementRow | undefined> {
  const rows = await work.findBy(resources.settlement, 'gateway_id', id)
  return rows.find((each) => each.gateway === gateway)
}

/** Creates the row of a settlement, unless another process has created it. */
async function beginSettlement(
  work: Work,
  gateway: string,
  batch: GatewaySettlement,
): Promise<SettlementRow> {
  await waitForName(work.tx, `settlement ${gateway} ${batch.id}`)
  const known = await findSettlement(work, gateway, batch.id)
  if (known) return known
  const { id, merchant, currency, gross, fees, net, settledAt } = batch
  const row: SettlementRow = {
    ...work.blank(resources.settlement),
    gateway,
    gateway_id: id,
    merchant: merchant ?? null,
    currency,
    gross,
    fees,
    net,
    settled_at: settledAt,
    status: 'reading',
    line_count: 0,
  }
  await work.insert(resources.settlement, row)
  return row
}

async function storeLines(
  work: Work,
  source: LineSource,
  lines: readonly GatewaySettlementLine[],
): Promise<void> {
  const settlement = await work.lock(resources.settlement, source.settlement.id)
  if (!settlement || settlement.status === 'failed') return
  const sum = settlement.gateway_id ?? ''
  const stored = await linesOf(work, settlement.id, [sum, ...lines.map(({ id }) => id)])
  // Another process has completed the settlement: its foreign line contains all lines that were not stored.
  if (stored.has(keyOf({ kind: 'foreign', id: sum }))) return
  let count = 0
  for (const line of lines) {
    // The same line may be listed twice, and another process may have stored it.
    if (stored.has(keyOf(line))) continue
    await storeLine(work, source, line)
    stored.set(keyOf(line), line)
    count++
  }
  await work.change(resources.settlement, settlement.id, { line_count: (settlement.line_count ?? 0) + count })
}

/**
 * Completes a settlement after all own lines are stored: all others are foreign, also those that another process took
 * for its own. The sums must equal the totals that it reports. Returns whether it is complete; false if the settlement
 * failed before.
 */
async function completeSettlement(
  work: Work,
  source: LineSource,
  batch: GatewaySettlement,
): Promise<boolean> {
  const { id } = source.settlement
  const row = await work.lock(resources.settlement, id)
  if (!row || row.status === 'failed') return false
  const stored = await linesOf(work, id)
  const rest = batch.lines.filter((line) => !stored.has(keyOf(line)))
  const isDivided = stored.has(keyOf({ kind: 'foreign', id: batch.id }))
  const foreign = isDivided ? undefined : foreignOf(batch.id, rest)
  if (foreign) await storeForeign(work, source, foreign)
  const line_count = (row.line_count ?? 0) + (foreign ? 1 : 0)
  if (row.status !== 'complete' || foreign)
    await work.change(resources.settlement, id, { status: 'complete', line_count })
  const lines = foreign ? [...stored.values(), foreign] : [...stored.values()]
  const amount = lines.reduce((sum, line) => sum + (line.amount ?? 0), 0)
  const fees = lines.reduce((sum, line) => sum + (line.fee ?? 0), 0)
  const parts = [
    ...differing('gross', row.gross, amount),
    ...differing('fees', row.fees, fees),
    ...differing('net', row.net, amount - fees),
  ]
  if (parts.length === 0) return true
  await raiseException(work, {
    kind: 'settlement_differs',
    about: `lines of ${id}`,
    gateway: row.gateway,
    gatewayId: row.gateway_id,
    amount: Math.max(...parts.map(({ difference }) => difference)),
    // Each line is booked as it is; no other resolution is possible.
    resolutions: ['ignore'],
    explanation: `The lines of ${row.gateway_id} do not sum to its totals: ${parts.map(({ text }) => text).join(', ')}`,
    notice: JSON.stringify({ ...batch, lines: batch.lines.length }),
  })
  return true
}

function differing(name: string, stated: number | null, sum: number) {
  if (stated === null || stated === sum) return []
  const text = `${name} ${formatMoney(stated)}, and ${formatMoney(sum)} by its lines`
  return [{ text, difference: Math.abs(stated - sum) }]
}

type Line = Pick<GatewaySettlementLine, 'amount' | 'fee'> | Pick<SettlementLineRow, 'amount' | 'fee'>

/** The stored lines of a settlement: all of them, or those of some ids. */
async function linesOf({ tx }: Work, id: string, ids?: readonly string[]): Promise<Map<string, Line>> {
  const lines = tx.db
    .selectFrom('admin_settlement_lines')
    .select(['line_id', 'kind', 'amount', 'fee'])
    .where('settlement_id', '=', id)
  const rows = await (ids ? lines.where('line_id', 'in', ids) : lines).execute()
  return new Map(rows.map((row) => [`${row.kind} ${row.line_id}`, row]))
}

function keyOf({ kind, id }: { readonly kind: LineKind; readonly id: string }): string {
  return `${kind} ${id}`
}

function isChanged(line: ComparedLine, stored: Line | undefined): boolean {
  return stored !== undefined && (stored.amount !== line.amount || stored.fee !== line.fee)
}

/** The part of a line that a later report may change. */
type ComparedLine = Pick<GatewaySettlementLine, 'id' | 'amount' | 'fee'> & { readonly kind: LineKind }

function isOtherThan({ gross, fees, net, currency }: SettlementRow, batch: GatewaySettlement): boolean {
  return gross !== batch.gross || fees !== batch.fees || net !== batch.net || currency !== batch.currency
}

/**
 * Opens a reconciliation exception for a line that the gateway later reports with other values. The first report
 * remains stored.
 */
async function raiseChanged(
  work: Work,
  { id, gateway, gateway_id: gatewayId }: SettlementRow,
  batch: GatewaySettlement,
  lines: readonly ComparedLine[],
): Promise<void> {
  const about = `change of ${id}`
  await raiseException(work, {
    kind: 'settlement_differs',
    about,
    gateway,
    gatewayId,
    amount: batch.net ?? batch.gross,
    resolutions: ['ignore'],
    explanation: `The gateway reports ${gatewayId} differently than before`,
    notice: JSON.stringify({ ...batch, lines }),
  })
}
