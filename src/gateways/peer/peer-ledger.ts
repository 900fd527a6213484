import { parseMoney } from '../../schema/money.js'
import { type Input, isTree } from '../../schema/types.js'
import { UnknownOutcome } from '../unknown-outcome.js'
import { isTransactionId } from './peer-transaction.js'

/** The fields of a peer's ledger entry that are read. */
export interface PeerEntry {
  readonly id: string
  readonly assoc: string
  readonly type: string
  readonly amount: number
}

/**
 * Path of a page of a transaction's ledger, oldest entry first, so that new entries do not move earlier ones to other
 * pages.
 */
export function ledgerPath(id: string, page: { readonly limit: number; readonly offset?: number }): string {
  const offset = page.offset === undefined ? '' : `&offset=${page.offset}`
  return `/transactions/${encodeURIComponent(id)}/ledger?order_by=id&limit=${page.limit}${offset}`
}

/** Parses a ledger entry. Throws `UnknownOutcome` if the row is no entry. */
export function entryIn(row: unknown): PeerEntry {
  if (!isTree(row)) throw new UnknownOutcome('The peer answers no ledger entry')
  const { id, assoc_transaction_id: assoc, entry_type: type } = row
  const amount = moneyIn(row, 'amount')
  if (typeof id !== 'string' || !isTransactionId(assoc) || typeof type !== 'string' || amount === undefined)
    throw new UnknownOutcome('The peer answers no ledger entry')
  return { id, assoc, type, amount }
}

/**
 * Id of the chargeback whose money a chargeback reversal returns, found in the ledger of their payment. Undefined if
 * there is none. Chargebacks and reversals of the same amount are matched in their order.
 */
export function wonBy(reversal: string, entries: readonly PeerEntry[]): string | undefined {
  const won = entries.find(({ assoc, type }) => assoc === reversal && type === 'chargeback_reversal')
  if (!won) return undefined
  const named = (of: string, value: number) =>
    entries.flatMap(({ assoc, type, amount }) => (type === of && amount === value ? [assoc] : []))
  return named('chargeback', -won.amount)[named('chargeback_reversal', won.amount).indexOf(reversal)]
}

/** An amount of an answer, in minor units (cents); undefined if it is no number. */
export function moneyIn(row: Input, name: string): number | undefined {
  const value = row[name]
  return typeof value === 'number' ? parseMoney(value) : undefined
}
