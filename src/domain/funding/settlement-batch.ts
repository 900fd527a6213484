import type { Work } from '../../engine/core/write/work.js'
import { waitForName } from '../../engine/store/database/differences.js'
import { prepared } from '../../engine/store/database/prepared.js'
import type { TransactionRow } from '../../engine/store/database/tables.js'
import { resources } from '../../resources/resource-table.js'
import type { Minor } from '../../schema/money.js'
import { statusMessage } from '../../schema/status-codes.js'
import { systemTransaction } from '../payments/parties/new-transaction.js'
import { depositDestination } from './deposit-destination.js'
import type { FundingAccount } from './funding-account.js'

/**
 * A deposit, a reversal or a bill. It is put together in several units of work, and is `processing` until its last
 * part is added.
 */
export type SettlementBatch = Pick<
  TransactionRow,
  'id' | 'status' | 'period' | 'due_at' | 'entered' | 'fee' | 'accrued_fee'
>

export interface NewSettlementBatch {
  readonly account: FundingAccount
  /** The business day (`YYYY-MM-DD`) or the month (`YYYY-MM`) of the batch; there is at most one batch for each. */
  readonly period: string
  readonly type: 'deposit' | 'reversal'
  /** Expected amount, in minor units. */
  readonly amount: Minor
  /** End of a deposit's business day, as a datetime; null for a bill, which is due at its account's `bill_due_at`. */
  readonly dueAt: string | null
}

const STATUS_CODE = 'batching'

/**
 * Begins a batch. Returns the existing one if another process has begun it, undefined if the account is deleted.
 * Throws an error if the account's bank account cannot be trusted.
 */
export async function beginSettlementBatch(
  work: Work,
  batch: NewSettlementBatch,
): Promise<SettlementBatch | undefined> {
  const { account, period, type, amount, dueAt } = batch
  await waitForName(work.tx, `funding of ${account.id}`)
  const existing = await findSettlementBatch(work, account.id, period)
  if (existing) return existing
  if (!(await work.find(resources.processing_account, account.id))) return undefined
  const { bank, problem } = await depositDestination(work, account.id)
  // The job checked the destination before it began the batch, so the problem is new.
  if (problem !== undefined) throw new Error(problem)
  const row = systemTransaction(work, {
    processing_id: account.id,
    payment_method_id: bank?.id ?? null,
    type,
    amount,
    status: 'processing',
    status_code: STATUS_CODE,
    status_message: statusMessage(STATUS_CODE),
    period,
    entered: 0,
    awaiting: dueAt === null ? null : 'parts',
    due_at: dueAt,
  })
  await work.insert(resources.transaction, row)
  return row
}

/** The deposit or reversal of a day, or the bill of a month. */
export async function findSettlementBatch(
  { tx }: Work,
  processingId: string,
  period: string,
): Promise<SettlementBatch | undefined> {
  const [row] = await tx.run(batchFor, { processingId, period })
  return row
}

/** A deposit that a run did not finish, or that waits for more payments. */
export async function findOpenDeposit(
  { tx }: Work,
  processingId: string,
  until: string,
): Promise<SettlementBatch | undefined> {
  const [row] = await tx.run(openDeposit, { processingId, until })
  return row
}

/** Number of transactions in a batch. */
export async function countEntries({ tx }: Work, batchId: string): Promise<number> {
  const [row] = await tx.run(entriesOf, { batchId })
  return row?.entries ?? 0
}

const COLUMNS = ['id', 'status', 'period', 'due_at', 'entered', 'fee', 'accrued_fee'] as const

const batchFor = prepared<{ processingId: string; period: string }, SettlementBatch>((db, param) =>
  db
    .selectFrom('transactions')
    .select(COLUMNS)
    .where('period', '=', param('period'))
    .where('processing_id', '=', param('processingId')),
)

const openDeposit = prepared<{ processingId: string; until: string }, SettlementBatch>((db, param) =>
  db
    .selectFrom('transactions')
    .select(COLUMNS)
    .where('awaiting', '=', 'parts')
    .where('due_at', '<=', param('until'))
    .where('processing_id', '=', param('processingId'))
    .orderBy('due_at')
    .limit(1),
)

const entriesOf = prepared<{ batchId: string }, { entries: number }>((db, param) =>
  db
    .selectFrom('transaction_ledgers')
    .select((eb) => eb.fn.countAll<number>().as('entries'))
    .where('transaction_id', '=', param('batchId')),
)
