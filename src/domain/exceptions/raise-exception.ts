import type { Work } from '../../engine/core/write/work.js'
import type { ExceptionRow, TransactionRow } from '../../engine/store/database/tables.js'
import { RESOLUTIONS } from '../../resources/exception.js'
import { resources } from '../../resources/resource-table.js'
import { parsedJson } from '../../schema/json.js'
import type { Minor } from '../../schema/money.js'

export type ExceptionKind = NonNullable<ExceptionRow['kind']>
export type Resolution = (typeof RESOLUTIONS)[number]

/** What does not fit, before an operator has decided. */
export interface NewException {
  readonly kind: ExceptionKind
  /** What it is about: it is raised once. */
  readonly about: string
  readonly transaction?: Pick<TransactionRow, 'id' | 'processing_id'> | undefined
  readonly gateway: string | null
  readonly gatewayId?: string | null | undefined
  /** How much is at stake. */
  readonly amount: Minor | null
  readonly explanation: string
  /** What the gateway said, without card data. */
  readonly notice?: string | undefined
  /** Those that fit this one; those of its kind unless given. */
  readonly resolutions?: readonly Resolution[]
}

/** The resolutions that fit each kind, where nothing more is known of it. */
const RESOLUTIONS_OF: Readonly<Record<ExceptionKind, readonly Resolution[]>> = {
  unknown_payment: ['link', 'loss', 'ignore'],
  // It was booked as a loss when it was found.
  dispute_beyond_balance: ['ignore'],
  dispute_unexpected: ['link', 'loss', 'ignore'],
  late_approval: ['refund', 'ignore'],
  partial_approval: ['refund', 'ignore'],
  amount_differs: ['ignore'],
  settlement_differs: ['link', 'loss', 'ignore'],
  forgotten_operation: ['link', 'ignore'],
}

/** The resolutions of which an operator may choose one. */
export function resolutionsOf({ resolutions }: Pick<ExceptionRow, 'resolutions'>): readonly Resolution[] {
  const stored = parsedJson(resolutions ?? '[]')
  return Array.isArray(stored) ? RESOLUTIONS.filter((each) => stored.includes(each)) : []
}

/**
 * Stores what an operator has to decide, in the unit of work that found it; once, however often it is found. Answers the
 * exception, or nothing when it was raised before.
 */
export async function raiseException(work: Work, found: NewException): Promise<ExceptionRow | undefined> {
  const [known] = await work.findBy(resources.exception, 'about', found.about)
  if (known) return undefined
  const { kind, about, transaction, gateway, gatewayId = null, amount, explanation, notice = null } = found
  const row = {
    ...work.blank(resources.exception),
    kind,
    about,
    gateway,
    gateway_id: gatewayId,
    amount,
    explanation,
    notice,
    status: 'open' as const,
    transaction_id: transaction?.id ?? null,
    processing_id: transaction?.processing_id ?? null,
    resolutions: JSON.stringify(found.resolutions ?? RESOLUTIONS_OF[kind]),
  }
  await work.insert(resources.exception, row)
  announceException(work, row)
  return row
}

/** Fires the event of an exception that was found or resolved. */
export function announceException(
  work: Work,
  { id, status, processing_id: processingId }: ExceptionRow,
): void {
  work.emit({ trigger: 'exception', object: resources.exception, id, value: status, processingId })
}
