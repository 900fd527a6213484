import type { Payment } from './payment-service.js'

/** The values that the payment of an order must have. */
export interface Expected {
  readonly orderNumber: string
  /** Amount in cents. */
  readonly amount: number
  readonly account: string
}

/**
 * Reason why a payment does not pay an order; undefined if the payment does. The page may send any id: that
 * of a refund, a cheaper payment, or a payment for another order.
 */
export function paymentProblem(payment: Payment, expected: Expected): string | undefined {
  if (payment.type !== 'payment') return `It is a ${payment.type}`
  if (payment.status !== 'authorized' && payment.status !== 'processed') return `It is ${payment.status}`
  if (Math.round(payment.amount * 100) !== expected.amount) return `It is of ${payment.amount}`
  if (payment.processing_id !== expected.account) return 'It pays another account'
  if (payment.order_number !== expected.orderNumber) return 'It pays another order'
  return undefined
}
