import type { Work } from '../../engine/core/write/work.js'
import type { GatewaySettlementLine } from '../../gateways/contract.js'
import { resources } from '../../resources/resource-table.js'

/** Maximum number of ids in one SQL statement. */
const CHUNK = 500
/** Kinds of line that are about a payment. Only for these can a foreign payment be recognized. */
const ABOUT_PAYMENTS: ReadonlySet<GatewaySettlementLine['kind']> = new Set([
  'payment',
  'refund',
  'chargeback',
  'chargeback_reversal',
  'return',
])
/** References of payctl: the id of a transaction, or of an operation on one. */
const REFERENCE = new RegExp(`^(${resources.transaction.prefix}|op_)[0-9A-Za-z]+$`)
const REF_NUMBER = /^[2-9A-Z]{4}(-[2-9A-Z]{4}){3}$/

/**
 * The lines of a settlement: our own, and foreign ones about payments that other systems made through the same gateway
 * account.
 */
export interface DividedLines {
  readonly own: readonly GatewaySettlementLine[]
  readonly foreign: readonly GatewaySettlementLine[]
}

/**
 * Divides lines into own and foreign ones. A foreign line names a payment and carries no reference of payctl, and
 * neither the line nor the payment is known here. See docs/gateways.md, "Settlements".
 */
export async function divideLines(
  work: Work,
  gateway: string,
  lines: readonly GatewaySettlementLine[],
): Promise<DividedLines> {
  const doubtful = lines.filter(isDoubtful)
  if (doubtful.length === 0) return { own: lines, foreign: [] }
  const ids = doubtful.flatMap(({ gatewayId, parentId }) => [gatewayId, parentId]).filter(isText)
  const known = await knownAmong(work, gateway, [...new Set(ids)])
  // The gateway's answer to a payment may have been lost, so its id at the gateway is not stored. A line with our
  // reference then shows this id.
  for (const line of lines) if (!isDoubtful(line) && line.gatewayId) known.add(line.gatewayId)
  const foreign = new Set(
    doubtful.filter(({ gatewayId, parentId }) => !known.has(gatewayId ?? '') && !known.has(parentId ?? '')),
  )
  return { own: lines.filter((line) => !foreign.has(line)), foreign: [...foreign] }
}

/** The line that sums up all foreign lines of a settlement. */
export function foreignLineOf(settlement: string, lines: readonly GatewaySettlementLine[]) {
  const isFeeReported = lines.some(({ fee }) => fee !== null)
  return {
    id: settlement,
    kind: 'foreign',
    count: lines.length,
    amount: lines.reduce((sum, { amount }) => sum + amount, 0),
    fee: isFeeReported ? lines.reduce((sum, { fee }) => sum + (fee ?? 0), 0) : null,
  } as const
}

/**
 * Whether a line is about a payment and has no reference of payctl: only the gateway's ids can show whether the payment
 * is ours.
 */
function isDoubtful({ kind, reference = '', refNumber = '', gatewayId }: GatewaySettlementLine): boolean {
  if (!ABOUT_PAYMENTS.has(kind) || gatewayId === undefined) return false
  return !REFERENCE.test(reference) && !REF_NUMBER.test(refNumber)
}

function isText(value: string | undefined): value is string {
  return value !== undefined
}

/** Selects those ids of a gateway that stored transactions, disputes or exceptions have. */
async function knownAmong(work: Work, gateway: string, ids: readonly string[]): Promise<Set<string>> {
  const known = new Set<string>()
  for (let start = 0; start < ids.length; start += CHUNK)
    for (const id of await knownOf(work, gateway, ids.slice(start, start + CHUNK))) known.add(id)
  return known
}

async function knownOf({ tx }: Work, gateway: string, ids: readonly string[]): Promise<readonly string[]> {
  const transactions = await tx.db
    .selectFrom('transactions')
    .select(['gateway_id', 'dispute'])
    .where('gateway', '=', gateway)
    .where((eb) => eb.or([eb('gateway_id', 'in', ids), eb('dispute', 'in', ids)]))
    .execute()
  const raised = await tx.db
    .selectFrom('admin_exceptions')
    .select('gateway_id')
    .where('gateway', '=', gateway)
    .where('gateway_id', 'in', ids)
    .execute()
  return [
    ...transactions.flatMap(({ gateway_id: id, dispute }) => [id ?? [], dispute ?? []].flat()),
    ...raised.flatMap(({ gateway_id: id }) => id ?? []),
  ]
}
