import type { Work } from '../../engine/core/write/work.js'
import type { PaymentMethodRow, TransactionRow } from '../../engine/store/database/tables.js'
import { dropNumbers } from '../accounts/payment-method.js'
import { storedTransaction } from '../ledger/stored-transaction.js'
import { type Answer, decideOutcome } from './decide-outcome.js'
import { readPending, referenceOf } from './pending-operation.js'
import { changeDecided } from './persist-decision.js'
import { recordRefund } from './record-refund.js'
import { businessDayFor } from './today.js'

/**
 * Records the outcome of an operation whose intent was committed before. An answer that was recorded already, or
 * that belongs to an earlier attempt, changes nothing.
 */
export async function recordOutcome(
  work: Work,
  id: string,
  reference: string,
  answer: Answer,
): Promise<void> {
  const row = await work.lock('transaction', id)
  const open = row?.open_operation ? readPending(row.open_operation) : undefined
  if (!row || !open || referenceOf(open, id) !== reference) return
  if (open.kind === 'refunding') return
  if (open.kind === 'refund') return await recordRefund(work, row, open.payment, answer)
  const today = await businessDayFor(work, row)
  await changeDecided(work, row, decideOutcome(storedTransaction(row), open, answer, today))
  await forgetMethod(work, row)
}

/** Drops the numbers of a method that is used once, when its payment is decided. Decisions: "Sensitive data". */
export async function forgetUsedOnce(work: Work, method: PaymentMethodRow): Promise<void> {
  if (method.keep_active === 0) await dropNumbers(work, method)
}

async function forgetMethod(work: Work, { payment_method_id: id }: TransactionRow): Promise<void> {
  const method = id === null ? undefined : await work.find('payment_method', id)
  if (method) await forgetUsedOnce(work, method)
}
