import { ApiError } from '../../engine/core/request/api-error.js'
import type { Work } from '../../engine/core/write/work.js'
import { prepared } from '../../engine/store/database/prepared.js'
import type { LineItemRow, TransactionRow } from '../../engine/store/database/tables.js'
import { resources } from '../../resources/resource-table.js'
import { formatMoney, type Minor } from '../../schema/money.js'
import { lockInvoice } from './totals.js'

/** The line item of a payment that is not processed yet. */
type SetAside = Pick<LineItemRow, 'id' | 'invoice_id' | 'set_aside'>

/** An allocation of a payment that is about to be processed. Minor units. */
export interface Fit {
  readonly itemId: string
  readonly invoiceId: string
  /** Amount that the payment is to pay of the invoice. */
  readonly meant: Minor
  /** The part of `meant` that is still due on the invoice. */
  readonly fits: Minor
}

/**
 * Decides what the allocations of a payment of `amount` pay. If that is less than was authorized, the newest
 * allocations are cut first. `items` are the line items of the payment, oldest first; `due` is the amount due by
 * invoice.
 */
export function decideFits(
  items: readonly SetAside[],
  amount: Minor,
  due: ReadonlyMap<string, Minor>,
): readonly Fit[] {
  const dueOf = new Map(due)
  let left = amount
  return items.flatMap(({ id, invoice_id: invoiceId, set_aside: aside }) => {
    if (invoiceId === null || aside === null) return []
    const meant = Math.min(aside, left)
    const open = dueOf.get(invoiceId) ?? 0
    const fits = Math.max(0, Math.min(meant, open))
    left -= meant
    dueOf.set(invoiceId, open - fits)
    return [{ itemId: id, invoiceId, meant, fits }]
  })
}

/** The line items of a payment, oldest first, and the amount due of their invoices, which stay locked. */
export async function lockAllocations(
  work: Work,
  paymentId: string,
): Promise<{ readonly items: readonly LineItemRow[]; readonly due: ReadonlyMap<string, Minor> }> {
  const items = await work.findBy(resources.line_item, 'transaction_id', paymentId)
  const ids = new Set(items.flatMap(({ invoice_id: id }) => (id === null ? [] : [id])))
  const due = new Map<string, Minor>()
  // Rows are locked in the order of their ids, so that no two units of work wait for each other.
  for (const id of [...ids].sort()) due.set(id, (await lockInvoice(work, id)).due)
  return { items: items.toSorted((a, b) => (a.id < b.id ? -1 : 1)), due }
}

/**
 * Throws `Conflict` if the allocations of a payment no longer fit when `amount` of it is captured. An invoice may
 * have been paid otherwise or lowered, or another payment is about to pay it. See docs/money.md, "Invoices".
 */
export async function refuseUnfitting(work: Work, payment: TransactionRow, amount: Minor): Promise<void> {
  const { items, due } = await work.asSystem(() => lockAllocations(work, payment.id))
  const free = new Map<string, Minor>()
  for (const [id, left] of due) free.set(id, left - (await underWay(work, id, payment.id)))
  const misfit = decideFits(items, amount, free).find(({ meant, fits }) => fits < meant)
  if (!misfit) return
  const { invoiceId, meant, fits } = misfit
  const left = Math.max(0, free.get(invoiceId) ?? 0)
  const wayOut =
    fits > 0
      ? 'Capture less (amount), or send allow_unallocated to take what pays no invoice'
      : 'Void it, or send allow_unallocated to take what pays no invoice'
  throw new ApiError(
    'Conflict',
    `${invoiceId} has ${formatMoney(left)} left to pay, and this payment was to pay ${formatMoney(meant)} of it. ${wayOut}`,
  )
}

/** Amount of an invoice that other payments are about to pay: their outcome is not known yet. */
async function underWay({ tx }: Work, invoiceId: string, paymentId: string): Promise<Minor> {
  const others = await tx.run(openPaymentsOf, { invoiceId, paymentId })
  return others
    .filter(({ pending_operation: open }) => open === 'sale' || open?.startsWith('capture:'))
    .reduce((sum, { set_aside: aside }) => sum + Number(aside ?? 0), 0)
}

const openPaymentsOf = prepared<
  { invoiceId: string; paymentId: string },
  { set_aside: Minor | null; pending_operation: string | null }
>((db, param) =>
  db
    .selectFrom('line_items as i')
    .innerJoin('transactions as t', 't.id', 'i.transaction_id')
    .select(['i.set_aside', 't.pending_operation'])
    .where('i.invoice_id', '=', param('invoiceId'))
    .where('i.deleted_at', 'is', null)
    .where('i.set_aside', 'is not', null)
    .where('t.id', '<>', param('paymentId')),
)
