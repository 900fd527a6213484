import type { Work } from '../../../engine/core/write/work.js'
import type { TransactionRow } from '../../../engine/store/database/tables.js'
import { resources } from '../../../resources/resource-table.js'
import { isPresentedAgain, isReturn } from '../../../schema/status-codes.js'
import { barMethod, liftBar } from '../../accounts/barred-method.js'
import type { Answer } from '../pending/gateway-answer.js'

/**
 * Bars a payment's method from automatic payments after a final decline. A later approval lifts the bar of a card. The
 * bar of a bank account stays, because an approved debit may still be returned. See docs/money.md, "Billing
 * schedules".
 */
export async function judgeMethod(work: Work, row: TransactionRow, answer: Answer): Promise<void> {
  if (row.type !== 'payment' || answer === 'never_seen') return
  switch (answer.result) {
    case 'declined':
      if (answer.isHard || isFinalReturn(answer.statusCode)) await barMethod(work, row)
      return
    case 'approved': {
      const method = row.payment_method_id
        ? await work.find(resources.payment_method, row.payment_method_id)
        : undefined
      const isFree = method?.type === 'card' && method.barred_by !== null && method.barred_by < row.id
      if (isFree) await liftBar(work, method)
      return
    }
    default:
  }
}

/** Whether a bank returned a debit for a reason that also applies to later debits. */
export function isFinalReturn(statusCode: string | null): boolean {
  return isReturn(statusCode) && !isPresentedAgain(statusCode)
}
