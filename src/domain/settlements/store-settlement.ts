import type { Work } from '../../engine/core/write/work.js'
import type { WorkRunner } from '../../engine/jobs/due-job.js'
import { waitForName } from '../../engine/store/database/differences.js'
import type { SettlementLineRow, SettlementRow } from '../../engine/store/database/tables.js'
import type { GatewaySettlement, GatewaySettlementLine, RemoteGateway } from '../../gateways/contract.js'
import { resources } from '../../resources/resource-table.js'
import { formatMoney } from '../../schema/money.js'
import { raiseException } from '../exceptions/raise-exception.js'
import { mirrorPayouts } from './mirror-payouts.js'
import { type LineSource, storeLine } from './record-line.js'

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
  const stored = await read((work) => linesOf(work, settlement.id))
  const changed = batch.lines.filter((line) => isChanged(line, stored.get(keyOf(line))))
  const isOther = isOtherThan(settlement, batch)
  if (changed.length > 0 || isOther) await write((work) => raiseChanged(work, settlement, batch, changed))
  const fresh = batch.lines.filter((line) => !stored.has(keyOf(line)))
  if (fresh.length === 0 && settlement.status === 'complete') return 0
  const source = { settlement, gateway, accountOfFees: await read((work) => onlyAccount(work, gateway.name)) }
  for (let start = 0; start < fresh.length; start += BATCH_SIZE)
    await write((work) => storeLines(work, source, fresh.slice(start, start + BATCH_SIZE)))
  await write(async (work) => {
    await completeSettlement(work, settlement, batch)
    await mirrorPayouts(work, settlement.id)
  })
  return fresh.length
}

async function findSettlement(work: Work, gateway: string, id: string): Promise<SettlementRow | undefined> {
  const rows = await work.findBy(resources.settlement, 'gateway_id', id)
  return rows.find((each) => each.gateway === gateway)
}

/** Another process may have begun the settlement. */
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
  if (!settlement) return
  const ids = lines.map(({ id }) => id)
  const stored = await linesOf(work, settlement.id, ids)
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

/** Completes a settlement after all lines are stored: their sums must equal the totals that it reports. */
async function completeSettlement(
  work: Work,
  { id }: SettlementRow,
  batch: GatewaySettlement,
): Promise<void> {
  const row = await work.lock(resources.settlement, id)
  if (!row) return
  if (row.status !== 'complete') await work.change(resources.settlement, id, { status: 'complete' })
  const lines = [...(await linesOf(work, id)).values()]
  const amount = lines.reduce((sum, line) => sum + (line.amount ?? 0), 0)
  const fees = lines.reduce((sum, line) => sum + (line.fee ?? 0), 0)
  const parts = [
    ...differing('gross', row.gross, amount),
    ...differing('fees', row.fees, fees),
    ...differing('net', row.net, amount - fees),
  ]
  if (parts.length === 0) return
  await raiseException(work, {
    kind: 'settlement_differs',
    about: `lines of ${id}`,
    gateway: row.gateway,
    gatewayId: row.gateway_id,
    amount: Math.max(...parts.map(({ difference }) => difference)),
    // Each line is booked as it is; no other resolution is possible.
    resolutions: ['ignore'],
    explanation: `The lines of ${row.gateway_id} do not come to what it says: ${parts.map(({ text }) => text).join(', ')}`,
    notice: JSON.stringify({ ...batch, lines: batch.lines.length }),
  })
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

function keyOf({ kind, id }: Pick<GatewaySettlementLine, 'kind' | 'id'>): string {
  return `${kind} ${id}`
}

function isChanged(line: GatewaySettlementLine, stored: Line | undefined): boolean {
  return stored !== undefined && (stored.amount !== line.amount || stored.fee !== line.fee)
}

function isOtherThan({ gross, fees, net, currency }: SettlementRow, batch: GatewaySettlement): boolean {
  return gross !== batch.gross || fees !== batch.fees || net !== batch.net || currency !== batch.currency
}

/** Raises an exception for a line that the gateway reports differently later; the first report remains. */
async function raiseChanged(
  work: Work,
  { id, gateway, gateway_id: gatewayId }: SettlementRow,
  batch: GatewaySettlement,
  lines: readonly GatewaySettlementLine[],
): Promise<void> {
  const about = `change of ${id}`
  await raiseException(work, {
    kind: 'settlement_differs',
    about,
    gateway,
    gatewayId,
    amount: batch.net ?? batch.gross,
    resolutions: ['ignore'],
    explanation: `The gateway says of ${gatewayId} what it did not say before`,
    notice: JSON.stringify({ ...batch, lines }),
  })
}

/** The processing account of a gateway that serves only one. */
async function onlyAccount({ tx }: Work, gateway: string): Promise<string | null> {
  const routed = await tx.db
    .selectFrom('gateway_routes as r')
    .innerJoin('admin_gateways as g', 'g.id', 'r.gateway_id')
    .select('r.processing_id')
    .where('g.name', '=', gateway)
    .where('g.deleted_at', 'is', null)
    .execute()
  const named = new Set(routed.map(({ processing_id: id }) => id))
  const [only = null] = named
  if (named.size === 1 && only !== null) return only
  const accounts = await tx.db
    .selectFrom('accounts')
    .select('id')
    .where('type', '=', 'processing')
    .where('deleted_at', 'is', null)
    .limit(2)
    .execute()
  return accounts.length === 1 ? (accounts[0]?.id ?? null) : null
}
