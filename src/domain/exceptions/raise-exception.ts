import type { Work } from '../../engine/core/write/work.js'
import { waitForName } from '../../engine/store/database/differences.js'
import type { ExceptionRow, TransactionRow } from '../../engine/store/database/tables.js'
import { RESOLUTIONS } from '../../resources/exception.js'
import { resources } from '../../resources/resource-table.js'
import { parsedJson } from '../../schema/json.js'
import type { Minor } from '../../schema/money.js'
import type { Direction } from '../ledger/postings.js'
import { booksAfter } from './books-after.js'

export type ExceptionKind = NonNullable<ExceptionRow['kind']>
export type Resolution = (typeof RESOLUTIONS)[number]

/** A mismatch between the books and a gateway, about which an operator has to decide. */
export interface NewException {
  readonly kind: ExceptionKind
  /** Key of the mismatch: only one exception is opened for each key. */
  readonly about: string
  /**
   * The current row of the transaction that the exception is about. The exception copies its gateway and its id at
   * the gateway.
   */
  readonly transaction?: Pick<TransactionRow, 'id' | 'processing_id' | 'gateway' | 'gateway_id'> | undefined
  /** The gateway; required if there is no transaction. */
  readonly gateway?: string | null | undefined
  /** The gateway's id of the operation, dispute or line; by default that of the transaction. */
  readonly gatewayId?: string | null | undefined
  /** Amount at stake, in minor units. */
  readonly amount: Minor | null
  /** Whether the gateway paid the amount to us, or took it. */
  readonly direction?: Direction
  /** Whether the exception is about a line of a settlement, whose amount is held in `suspense`. */
  readonly isLine?: true
  /** The processing account in whose books a resolution is booked; ignored if the transaction has one. */
  readonly processingId?: string | null
  /** The event at the gateway, in a sentence. */
  readonly happened?: string
  readonly explanation: string
  /** The gateway's notice, without card data. */
  readonly notice?: string | undefined
  /** Resolutions that fit this exception; by default those of its kind. */
  readonly resolutions?: readonly Resolution[]
}

/** The resolutions that fit each kind by default. */
const RESOLUTIONS_OF: Readonly<Record<ExceptionKind, readonly Resolution[]>> = {
  unknown_payment: ['link', 'loss', 'ignore'],
  // The loss was booked when the exception was opened.
  dispute_beyond_balance: ['ignore'],
  dispute_unexpected: ['link', 'loss', 'ignore'],
  late_approval: ['refund', 'ignore'],
  partial_approval: ['refund', 'ignore'],
  amount_differs: ['ignore'],
  settlement_differs: ['link', 'loss', 'ignore'],
  forgotten_operation: ['link', 'ignore'],
  refund_failed: ['retry', 'paid_otherwise', 'failed'],
  payout_failed: ['ignore'],
}

/** The resolutions from which an operator may choose. */
export function resolutionsOf({ resolutions }: Pick<ExceptionRow, 'resolutions'>): readonly Resolution[] {
  const stored = parsedJson(resolutions ?? '[]')
  return Array.isArray(stored) ? RESOLUTIONS.filter((each) => stored.includes(each)) : []
}

/**
 * Stores a mismatch for an operator's decision, in the unit of work that found it. A mismatch that is found again is
 * stored once. Returns the new exception; undefined if there was one before.
 */
export async function raiseException(work: Work, found: NewException): Promise<ExceptionRow | undefined> {
  // Another process may find the mismatch at the same time. Each of two exceptions could be resolved as a loss.
  await waitForMismatch(work, found.about)
  const [known] = await work.findBy(resources.exception, 'about', found.about)
  if (known) return undefined
  const { kind, about, transaction, amount, explanation, notice = null, direction } = found
  const resolutions = found.resolutions ?? RESOLUTIONS_OF[kind]
  const row = {
    ...work.blank(resources.exception),
    kind,
    about,
    gateway: found.gateway ?? transaction?.gateway ?? null,
    gateway_id: found.gatewayId ?? transaction?.gateway_id ?? null,
    amount,
    direction: direction ?? null,
    happened: found.happened ?? null,
    explanation,
    notice,
    status: 'open' as const,
    transaction_id: transaction?.id ?? null,
    processing_id: transaction?.processing_id ?? found.processingId ?? null,
    resolutions: JSON.stringify(resolutions),
    books: JSON.stringify(booksAfter(resolutions, found)),
  }
  await work.insert(resources.exception, row)
  announceException(work, row)
  return row
}

/** Makes units of work that open or close the exception of a mismatch run one after another. */
export async function waitForMismatch({ tx }: Work, about: string): Promise<void> {
  await waitForName(tx, `exception ${about}`)
}

/** Fires the event of an exception that was found or resolved. */
export function announceException(
  work: Work,
  { id, status, processing_id: processingId }: ExceptionRow,
): void {
  work.emit({ trigger: 'exception', object: resources.exception, id, value: status, processingId })
}
