import type { InvoiceRow, TransactionRow } from '../../../engine/store/database/tables.js'
import type { Minor } from '../../../schema/money.js'
import type { Collected } from '../collecting/collect.js'
import type { Billed } from './bill-slot.js'

/** Maximum number of entries of each kind in the lists; the counts include all entries. */
const LISTED = 1_000

/** An invoice that a billing run has made or, in a dry run, would make. */
export interface ReportedInvoice {
  readonly billing_schedule_id: string | null
  readonly invoice_id: string | null
  readonly customer_id: string | null
  readonly due_date: string | null
  /** Minor units. */
  readonly amount: Minor
}

export interface ReportedSkip {
  readonly billing_schedule_id: string
  readonly slot: string
  readonly reason: string
}

export interface ReportedPayment {
  readonly invoice_id: string | null
  readonly transaction_id: string | null
  /** Minor units. */
  readonly amount: Minor
  readonly outcome: Outcome | null
  readonly reason: string | null
}

type Outcome = 'processed' | 'authorized' | 'processing' | 'declined' | 'refused'

/** Report of a billing run or its dry run: counts all entries and lists the first ones. */
export class BillingReport {
  private readonly invoices = new Listing<ReportedInvoice>()
  private readonly skips = new Listing<ReportedSkip>()
  private readonly payments = new Listing<ReportedPayment>()

  invoice(invoice: ReportedInvoice): void {
    this.invoices.add(invoice, invoice.amount)
  }

  skip(skip: ReportedSkip): void {
    this.skips.add(skip, 0)
  }

  payment(payment: ReportedPayment): void {
    this.payments.add(payment, payment.amount)
  }

  billed(billed: Billed | undefined): void {
    if (billed?.kind === 'made') this.invoice(shownInvoice(billed.invoice, billed.total))
    if (billed?.kind === 'skipped')
      this.skip({ billing_schedule_id: billed.schedule.id, slot: billed.slot, reason: billed.reason })
  }

  collected({ invoiceId, amount, payment, refusal }: Collected): void {
    this.payment({
      invoice_id: invoiceId,
      transaction_id: payment?.id ?? null,
      amount,
      outcome: payment ? outcomeOf(payment) : 'refused',
      reason: payment ? payment.status_message : refusal,
    })
  }

  get shownBilled() {
    const { invoices, skips } = this
    return {
      count: invoices.count,
      amount: invoices.amount,
      invoices: invoices.first,
      skipped_count: skips.count,
      skipped: skips.first,
    }
  }

  get shown() {
    const { count, amount, first } = this.payments
    return { ...this.shownBilled, payment_count: count, payment_amount: amount, payments: first }
  }
}

class Listing<T> {
  readonly first: T[] = []
  count = 0
  amount: Minor = 0

  add(entry: T, amount: Minor): void {
    if (this.first.length < LISTED) this.first.push(entry)
    this.count++
    this.amount += amount
  }
}

function shownInvoice(
  { id, billing_schedule_id, customer_id, due_date }: InvoiceRow,
  amount: Minor,
): ReportedInvoice {
  return { billing_schedule_id, invoice_id: id, customer_id, due_date, amount }
}

function outcomeOf({ status }: TransactionRow): Outcome | null {
  switch (status) {
    case 'processed':
    case 'authorized':
    case 'processing':
    case 'declined':
      return status
    default:
      return null
  }
}
