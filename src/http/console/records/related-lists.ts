import type { RelatedList } from '../objects/record-page.js'

/** Maximum number of objects in a list beside another object. */
export const BRIEF = '20'

/** Attributes of invoices beside another object. */
export const invoiceColumns = ['number', 'description', 'status', 'due_date', 'total_due', 'amount_due']

/** Payments that name an object in an attribute. */
export const paymentsOf = (attribute: string): RelatedList => ({
  title: 'Payments',
  path: '/transactions',
  query: { [attribute]: ':id', order_by: '-created_at', limit: BRIEF },
  resource: 'transaction',
  columns: ['created_at', 'type', 'amount', 'status', 'payment_method[description]', 'description'],
  empty: 'Payments would be here.',
})

/** Payment links that name an object in an attribute. */
export const linksOf = (attribute: string): RelatedList => ({
  title: 'Payment links',
  path: '/payment_links',
  query: { [attribute]: ':id', order_by: '-created_at', limit: BRIEF },
  resource: 'payment_link',
  columns: ['description', 'amount', 'type', 'status', 'expires_at'],
  empty: 'Payment links would be here.',
})
