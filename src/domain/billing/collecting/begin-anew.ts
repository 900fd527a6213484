import type { Work } from '../../../engine/core/write/work.js'
import { prepared } from '../../../engine/store/database/prepared.js'
import type { CollectionRow, TransactionRow } from '../../../engine/store/database/tables.js'
import { resources } from '../../../resources/resource-table.js'
import { isReturn } from '../../payments/status-codes.js'
import { scheduleNext } from './collect.js'

/** Lets the days of an invoice's automatic payments begin now, also where people had stopped them. */
export async function beginAnew(work: Work, id: string): Promise<void> {
  await setBegin(work, { id, stopped: null, since: work.now })
}

/** Notes that people stopped the automatic payments of an invoice. */
export async function stopCollecting(work: Work, id: string): Promise<void> {
  await setBegin(work, { id, stopped: 1, since: null })
}

/**
 * Lets the days of an invoice begin anew after the bank has returned the payment that collected it. An invoice that only
 * people have collected is left to them. Money: "Billing schedules".
 */
export async function followReturn(work: Work, payment: TransactionRow): Promise<void> {
  const { id, status, status_code: code, refunded } = payment
  if (status !== 'rejected' || !isReturn(code)) return
  // What was refunded before is left to people.
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

/** Changes the columns without an update of the invoice: clients see no change. */
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

/** The attempt to collect an invoice that a payment was. */
const attemptBy = prepared<{ id: string }, Pick<CollectionRow, 'invoice_id'>>((db, param) =>
  db.selectFrom('collections').select('invoice_id').where('transaction_id', '=', param('id')),
)

/** An attempt to collect an invoice that nobody requested. */
const automaticAttempt = prepared<{ invoiceId: string }, Pick<CollectionRow, 'id'>>((db, param) =>
  db
    .selectFrom('collections')
    .select('id')
    .where('invoice_id', '=', param('invoiceId'))
    .where('requested', '=', 0)
    .limit(1),
)
