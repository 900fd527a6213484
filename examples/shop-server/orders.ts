import { randomBytes } from 'node:crypto'
import { paymentProblem } from './payment-rule.js'
import type { PaymentService } from './payment-service.js'

/** Prices are the server's, in cents: the page sends a name and a quantity. */
const PRICES: ReadonlyMap<string, number> = new Map([
  ['coffee', 1499],
  ['mug', 850],
])

const MAX_QUANTITY = 20

/** An order as its page may see it. */
export interface OrderView {
  readonly number: string
  readonly description: string
  /** As `29.98`, which is how the page sends it. */
  readonly amount: string
  readonly clientKey: string
  readonly isPaid: boolean
}

interface Order {
  readonly number: string
  readonly description: string
  /** In cents. */
  readonly amount: number
  readonly clientKey: string
  /** The payment that was captured. */
  paymentId?: string
  /** Ends when the request before this one has ended: requests about an order run one after another. */
  last: Promise<void>
}

/**
 * The orders of the shop. They are kept in memory for brevity: a shop keeps them in its database, with a unique index on
 * the payment's id, and shows an order to the session that made it only.
 */
export class Orders {
  private readonly orders = new Map<string, Order>()
  /** Numbers of orders by the id of the payment that pays them: an id is used once. */
  private readonly used = new Map<string, string>()

  constructor(
    private readonly service: PaymentService,
    private readonly account: string,
  ) {}

  /** Makes an order and its client key, which fixes amount, account and order number. Undefined if the shop sells no such thing. */
  async make(item: unknown, quantity: unknown, origin: string): Promise<OrderView | undefined> {
    const price = typeof item === 'string' ? PRICES.get(item) : undefined
    if (price === undefined || typeof quantity !== 'number' || !Number.isInteger(quantity)) return undefined
    if (quantity < 1 || quantity > MAX_QUANTITY) return undefined
    const number = `A-${randomBytes(6).toString('hex')}`
    const description = `${quantity} × ${item}`
    const amount = price * quantity
    const terms = {
      amount: amount / 100,
      processing_id: this.account,
      order_number: number,
      description,
    }
    const clientKey = await this.service.makeClientKey(terms, origin)
    const order = { number, description, amount, clientKey, last: Promise.resolve() }
    this.orders.set(number, order)
    return viewOf(order)
  }

  /**
   * The order, after a look for a payment that its page could not report: the browser was closed, reloaded, or lost its
   * connection when the payment had just been authorized.
   */
  async look(number: string): Promise<OrderView | undefined> {
    const order = this.orders.get(number)
    if (!order) return undefined
    await this.inTurn(order, async () => {
      const payments = await this.service.paymentsOf(number)
      for (const { id, status } of payments) if (status === 'authorized') await this.take(order, id)
    })
    return viewOf(order)
  }

  /** Takes the payment that a page reports. Returns the reason if it does not pay the order. */
  async report(number: string, paymentId: string): Promise<string | undefined> {
    const order = this.orders.get(number)
    if (!order) return 'There is no such order'
    return await this.inTurn(order, () => this.take(order, paymentId))
  }

  private async take(order: Order, id: string): Promise<string | undefined> {
    if (order.paymentId === id) return undefined
    const payment = await this.service.payment(id)
    if (!payment) return 'There is no such payment'
    const { number: orderNumber, amount } = order
    const problem = paymentProblem(payment, { orderNumber, amount, account: this.account })
    if (problem !== undefined) return problem
    if ((this.used.get(id) ?? orderNumber) !== orderNumber) return 'It has paid another order'
    if (order.paymentId !== undefined) {
      // Paid in two windows: the second payer gets the money back before it is taken.
      if (payment.status === 'authorized') await this.service.release(id)
      return 'The order is paid already'
    }
    this.used.set(id, orderNumber)
    if (payment.status === 'authorized') await this.service.capture(id)
    order.paymentId = id
    return undefined
  }

  private async inTurn<T>(order: Order, work: () => Promise<T>): Promise<T> {
    const result = order.last.then(work)
    order.last = result.then(
      () => undefined,
      () => undefined,
    )
    return await result
  }
}

function viewOf({ number, description, amount, clientKey, paymentId }: Order): OrderView {
  return {
    number,
    description,
    amount: (amount / 100).toFixed(2),
    clientKey,
    isPaid: paymentId !== undefined,
  }
}
