import { randomBytes } from 'node:crypto'
import { paymentProblem } from './payment-rule.js'
import type { PaymentService } from './payment-service.js'

/** Prices in cents. They are only on the server: the page sends a name and a quantity. */
const PRICES: ReadonlyMap<string, number> = new Map([
  ['coffee', 1499],
  ['mug', 850],
])

const MAX_QUANTITY = 20

/** An order in the form that its page may see. */
export interface OrderView {
  readonly number: string
  readonly description: string
  /** Amount in the currency's unit, such as `29.98`, as the page sends it. */
  readonly amount: string
  readonly clientKey: string
  readonly isPaid: boolean
}

interface Order {
  readonly number: string
  readonly description: string
  /** Amount in cents. */
  readonly amount: number
  readonly clientKey: string
  /** The payment that was captured. */
  paymentId?: string
  /** The latest request about the order, which the next one waits for: requests run one after another. */
  last: Promise<void>
}

/**
 * The orders of the shop, kept in memory for brevity. A real shop keeps them in its database, with a unique
 * index on the payment's id. It also shows an order only to the session that made it.
 */
export class Orders {
  private readonly orders = new Map<string, Order>()
  /** Order numbers by the id of the payment that pays them: a payment pays one order. */
  private readonly used = new Map<string, string>()

  constructor(
    private readonly service: PaymentService,
    private readonly account: string,
  ) {}

  /**
   * Makes an order and its client key, which fixes amount, account and order number. Undefined if the shop
   * does not sell the item.
   */
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
   * An order by its number. Looks first for a payment that its page could not report: the browser may have
   * been closed, reloaded or disconnected just after the authorization.
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

  /** Takes the payment that a page reports. Returns the reason if the payment does not pay the order. */
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
      // Paid in two windows: the second authorization is released without a capture.
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
