import type { Work } from '../../engine/core/write/work.js'
import type { TransactionRow } from '../../engine/store/database/tables.js'
import type { GatewaySettlementLine } from '../../gateways/contract.js'
import { resources } from '../../resources/resource-table.js'
import type { TransactionType } from '../ledger/stored-transaction.js'
import { readPending } from '../payments/pending/pending-operation.js'

/** The part of a line by which its transaction is found. */
export type MatchedLine = Pick<GatewaySettlementLine, 'kind' | 'reference' | 'gatewayId' | 'parentId'>

/** Types of transaction that each kind of line can be about. */
const TYPES: Readonly<Record<MatchedLine['kind'], readonly TransactionType[]>> = {
  payment: ['payment'],
  refund: ['refund', 'credit'],
  chargeback: ['chargeback'],
  return: ['chargeback'],
  chargeback_reversal: ['chargeback_reversal'],
  fee: [],
  reserve: [],
  transfer: [],
  other: [],
}

/** Whether a line says that a bank debit failed, which is no chargeback: the payment was never processed. */
function isFailedDebit(kind: MatchedLine['kind'], { type, status }: TransactionRow): boolean {
  return kind === 'return' && type === 'payment' && (status === 'declined' || status === 'processing')
}

/**
 * Whether the payment that a line's reference names has another id at the gateway. The line is then about another
 * payment with the same reference.
 */
function isOfAnother(
  { type, status, gateway_id: id }: TransactionRow,
  { kind, gatewayId = id ?? undefined }: MatchedLine,
): boolean {
  const isTaken = type === 'payment' && (status === 'processed' || status === 'rejected')
  return kind === 'payment' && isTaken && id !== null && id !== gatewayId
}

/** The transaction that a line of a gateway is about: by our reference, by the gateway's id, or by its dispute. */
export async function matchLine(
  work: Work,
  gateway: string,
  line: MatchedLine,
): Promise<TransactionRow | undefined> {
  const { kind, reference, gatewayId, parentId } = line
  const fits = (row: TransactionRow | undefined) =>
    row !== undefined && row.type !== null && (TYPES[kind].includes(row.type) || isFailedDebit(kind, row))
  const named = reference ? await work.find(resources.transaction, reference) : undefined
  if (fits(named) && named?.gateway === gateway && !isOfAnother(named, line)) return named
  if (gatewayId) {
    const isDispute = kind === 'chargeback' || kind === 'return' || kind === 'chargeback_reversal'
    const disputes = isDispute ? await work.findBy(resources.transaction, 'dispute', gatewayId) : []
    const others =
      isDispute && kind !== 'return' ? [] : await work.findBy(resources.transaction, 'gateway_id', gatewayId)
    const found = [...disputes, ...others].find((row) => fits(row) && row.gateway === gateway)
    if (found) return found
  }
  // At some rails the void of a captured payment is a refund, for which the books have no transaction.
  if (kind !== 'refund' || !parentId) return undefined
  const payments = await work.findBy(resources.transaction, 'gateway_id', parentId)
  return payments.find((row) => row.gateway === gateway && (row.status === 'voided' || isVoiding(row)))
}

function isVoiding({ pending_operation: open }: TransactionRow): boolean {
  return open !== null && readPending(open).kind === 'void'
}
