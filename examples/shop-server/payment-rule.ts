import type { Payment } from './payment-service.js'

/** What the shop expects of the payment of an order. */
export interface Expected {
  readonly orderNumber: string
  /** In cents. */
  readonly amount: number
  readonly account: string
}

/**
 * The reason why a payment does not pay an order; undefined if it does. The id comes from the page, which may send any
 * id: that of a refund, of a cheaper payment, or of a payment for somebody else's order.
 */
export function paymentProblem(payment: Payment, expected: Expected): string | undefined {
  if (payment.type !== 'payment') return `It is a ${payment.type}`
  if (payment.status !== 'authorized' && payment.status !== 'processed') return `It is ${payment.status}`
  if (Math.round(payment.amount * 100) !== expected.amount) return `It is of ${payment.amount}`
  if (payment.processing_id !== expected.account) return 'It pays another account'
  if (payment.order_number !== expected.orderNumber) return 'It pays another order'
  return undefined
}
