import type { Work } from '../../engine/core/write/work.js'
import type { ExceptionRow, TransactionRow } from '../../engine/store/database/tables.js'
import type { RESOLUTIONS } from '../../resources/exception.js'
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
}

/** The resolutions that fit each kind. */
const RESOLUTIONS_OF: Readonly<Record<ExceptionKind, readonly Resolution[]>> = {
  unknown_payment: ['ignore'],
  dispute_beyond_balance: ['ignore'],
  dispute_unexpected: ['ignore'],
  late_approval: ['ignore'],
  partial_approval: ['ignore'],
  amount_differs: ['ignore'],
  settlement_differs: ['ignore'],
}

/** The resolutions of which an operator may choose one. */
export function resolutionsOf({ kind }: Pick<ExceptionRow, 'kind'>): readonly Resolution[] {
  return kind === null ? [] : RESOLUTIONS_OF[kind]
}

/** Stores what an operator has to decide, in the unit of work that found it; once, however often it is found. */
export async function raiseException(work: Work, found: NewException): Promise<void> {
  const [known] = await work.findBy('exception', 'about', found.about)
  if (known) return
  const { kind, about, transaction, gateway, gatewayId = null, amount, explanation, notice = null } = found
  const row = {
    ...work.blank('exception'),
    ...{ kind, about, gateway, gateway_id: gatewayId, amount, explanation, notice },
    status: 'open' as const,
    transaction_id: transaction?.id ?? null,
    processing_id: transaction?.processing_id ?? null,
    resolutions: JSON.stringify(RESOLUTIONS_OF[kind]),
  }
  await work.insert('exception', row)
  work.emit({
    trigger: 'exception',
    object: 'exception',
    id: row.id,
    value: row.status,
    processingId: row.processing_id,
  })
}
