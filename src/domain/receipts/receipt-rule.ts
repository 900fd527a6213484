import { invalidAttributes } from '../../engine/core/request/api-error.js'
import type { Rule, Work } from '../../engine/core/write/work.js'
import type { TransactionRow } from '../../engine/store/database/tables.js'
import { resources } from '../../resources/resource-table.js'
import { currentServer } from '../mail-outbox/current-server.js'
import { queueMail } from '../mail-outbox/queue-mail.js'
import { receiptType } from '../payments/outcome/persist-decision.js'

/**
 * Rule of receipts. Clients create further receipts, for other addresses. Spec: "Transaction", nested
 * `/transactions/{id}/receipts`.
 */
export const receiptRule: Rule<typeof resources.receipt> = {
  async create(work, input) {
    const transaction = await work.find(resources.transaction, input.transaction_id ?? '')
    if (!transaction) throw invalidAttributes({ transaction_id: 'Not found' })
    const type = receiptType(transaction.type)
    if (!type) throw invalidAttributes({ transaction_id: `A ${transaction.type} has no receipt` })
    if (transaction.status !== 'processed')
      throw invalidAttributes({ transaction_id: `A ${type} that is ${transaction.status} has no receipt` })
    const receipt = await work.createPlainly(resources.receipt, {
      ...input,
      type,
      email: input.email ?? (await emailOf(work, transaction)),
    })
    if (await currentServer(work))
      await queueMail(work, {
        kind: 'receipt',
        to: receipt.email,
        aboutId: receipt.id,
        processingId: transaction.processing_id,
      })
    return receipt
  },
}

async function emailOf(work: Work, { customer_id: id }: TransactionRow): Promise<string | null> {
  return (id && (await work.find(resources.customer, id))?.email) || null
}
