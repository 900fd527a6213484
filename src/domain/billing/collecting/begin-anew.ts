import type { Work } from '../../../engine/core/write/work.js'
import { prepared } from '../../../engine/store/database/prepared.js'
import type { CollectionRow, TransactionRow } from '../../../engine/store/database/tables.js'
import { resources } from '../../../resources/resource-table.js'
import { isReturn } from '../../../schema/status-codes.js'
import { scheduleNext } from './collect.js'

/** Starts a new series of daily automatic attempts to collect an invoice, also after a person stopped them. */
export async function beginAnew(work: Work, id: string): Promise<void> {
  await setBegin(work, { id, stopped: null, since: work.now })
}

/** Records that a person stopped the automatic payments of an invoice. */
export async function stopCollecting(work: Work, id: string): Promise<void> {
  await setBegin(work, { id, stopped: 1, since: null })
}

/**
 * Starts a new series of automatic attempts after the bank has returned the payment that collected an invoice.
 * Applies only to invoices that automatic payments have tried to collect, or for which such a series was started
 * before. See docs/money.md, "Billing schedules".
 */
export async function followReturn(work: Work, payment: TransactionRow): Promise<void> {
  const { id, status, status_code: code, refunded } = payment
  if (status !== 'rejected' || !isReturn(code)) return
  // A payment that was partly refunded before its return is not collected again automatically: a person decides.
  if ((refunded ?? 0) > 0) return
  await work.asSystem(async () => {
    const [attempt] = await work.tx.run(attemptBy, { id })
    const invoice = attempt && (await work.lock(resources.invoice, attempt.invoice_id))
    if (!invoice || invoice.slot === null || invoice.collect_stopped === 1) return
    const [automatic] = await work.tx.run(automaticAttempt, { invoiceId: invoice.id })
    if (!automatic && invoice.collect_since === null) return
    await beginAnew(work, invoice.id)
    await scheduleNext(work, invoice.id)
  })
}

/** Changes the columns directly: the invoice keeps its `modified_at`, and no event is sent. */
async function setBegin(
  work: Work,
  begin: { readonly id: string; readonly stopped: number | null; readonly since: string | null },
): Promise<void> {
  await work.tx.change(setBeginning, begin)
}

const setBeginning = prepared<{ id: string; stopped: number | null; since: string | null }, never>(
  (db, param) =>
    db
      .updateTable('invoices')
      .set({ collect_stopped: param('stopped'), collect_since: param('since') })
      .where('id', '=', param('id')),
)

/** The attempt that made a payment, with the id of the invoice that it was to collect. */
const attemptBy = prepared<{ id: string }, Pick<CollectionRow, 'invoice_id'>>((db, param) =>
  db.selectFrom('collections').select('invoice_id').where('transaction_id', '=', param('id')),
)

/** An automatic attempt to collect an invoice, as opposed to one that a person requested. */
const automaticAttempt = prepared<{ invoiceId: string }, Pick<CollectionRow, 'id'>>((db, param) =>
  db
    .selectFrom('collections')
    .select('id')
    .where('invoice_id', '=', param('invoiceId'))
    .where('requested', '=', 0)
    .limit(1),
)
