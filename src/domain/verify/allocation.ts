import type { TransactionHistory } from './transaction-history.js'

/** What a payment pays invoices is what its line items say, and no more than is left of it. Money: "Invoices". */
export function allocationProblems({ row, items }: TransactionHistory): string[] {
  const allocated = row.allocated ?? 0
  const said = 0 - items.reduce((sum, { total }) => sum + (total ?? 0), 0)
  const left = (row.amount ?? 0) - (row.refunded ?? 0) - (row.charged_back ?? 0)
  const worth = row.type === 'payment' && row.status === 'processed' ? left : 0
  return [
    ...(allocated === said ? [] : [`${allocated} of it is allocated, its line items say ${said}`]),
    ...(allocated <= worth ? [] : [`${allocated} of it is allocated, and ${worth} is left`]),
  ]
}
