import type { JsonObject } from '../../src/schema/json.js'
import type { Chance } from '../support/chance.js'
import { idOf, objectOf } from '../support/core.js'
import { bankAccount, card } from '../support/examples.js'
import type { Server } from '../support/server-process.js'
import type { Known, KnownPayment, MoneyRequest } from './known.js'

const DECLINED = '4111111111119903'

/** Values that a client needs for its requests. */
export interface Service {
  readonly secretKey: string
  readonly processingId: string
}

/** The server of a client: where it is, and whether lost connections are expected. */
export type Reached = Pick<Server, 'address' | 'isKilled'>

/**
 * A program that takes, captures, voids and refunds payments, one request at a time. It remembers
 * acknowledged requests and the one in flight. After a crash it repeats the latter under the same idempotency
 * key.
 */
export class Client {
  private readonly mine: KnownPayment[] = []
  private inFlight: MoneyRequest | undefined
  private made = 0

  constructor(
    private readonly name: string,
    private readonly chance: Chance,
    private readonly service: Service,
    private readonly known: Known,
    /** Waits until a request that was answered 503 may be repeated; without it, each request must be answered. */
    private readonly unavailable?: () => Promise<void>,
  ) {}

  /** Sends requests until the server is gone; calls `sent` before each. */
  async work(server: Reached, sent: () => void): Promise<void> {
    while (!server.isKilled) {
      this.inFlight ??= this.next()
      sent()
      if (!(await this.send(server, this.inFlight))) return
      this.inFlight = undefined
    }
  }

  /** Completes the request in flight, and starts no new one. */
  async finish(server: Reached): Promise<void> {
    if (this.inFlight && !(await this.send(server, this.inFlight))) throw new Error('The server is gone')
    this.inFlight = undefined
  }

  /** Whether an answer arrived. */
  private async send(server: Reached, request: MoneyRequest): Promise<boolean> {
    const answer = await this.ask(server, request)
    if (!answer) return false
    if (answer.status === 503 && this.unavailable) {
      await this.unavailable()
      return await this.send(server, request)
    }
    if (answer.headers.has('idempotent-replay')) this.known.replays++
    request.acknowledge(answer.status, answer.body)
    return true
  }

  private async ask(server: Reached, { method, path, body, key }: MoneyRequest) {
    try {
      const { status, headers, text } = await fetchWhole(server.address + path, {
        method,
        headers: {
          authorization: `Bearer ${this.service.secretKey}`,
          'content-type': 'application/json',
          'idempotency-key': key,
        },
        body: JSON.stringify(body),
      })
      return { status, headers, body: objectOf(JSON.parse(text)) }
    } catch (error) {
      if (server.isKilled) return undefined
      throw error
    }
  }

  private next(): MoneyRequest {
    const { chance } = this
    const key = `${this.name}-${++this.made}`
    const held = chance.pick(this.mine.filter(({ status }) => status === 'authorized'))
    const taken = chance.pick(
      this.mine.filter(({ status, refunded, amount }) => status === 'processed' && refunded < amount),
    )
    const shared = chance.pick(this.known.shared)
    if (held && chance.percent(40)) return this.change(key, held, chance.percent(70) ? 'processed' : 'voided')
    if (shared && chance.percent(15))
      return this.refund(key, shared, chance.integer(1, Math.ceil(shared.amount / 4)))
    if (taken && chance.percent(40)) {
      if (taken.refunded === 0 && chance.percent(25)) return this.change(key, taken, 'voided')
      const left = taken.amount - taken.refunded
      return this.refund(key, taken, chance.percent(50) ? left : chance.integer(1, left))
    }
    return this.pay(key)
  }

  private pay(key: string): MoneyRequest {
    const { chance, known, mine } = this
    const amount = chance.integer(1, 50_000)
    const isDeclined = chance.percent(8)
    const isHeld = chance.percent(20)
    const isShared = chance.percent(3)
    const method = chance.percent(15) ? bankAccount() : card(isDeclined ? DECLINED : undefined)
    const body: JsonObject = {
      type: 'payment',
      amount: amount / 100,
      order_number: key,
      processing_id: this.service.processingId,
      payment_method: { ...method, keep_active: chance.percent(80) },
      ...(isHeld ? { status: 'authorized' } : {}),
    }
    return {
      key,
      method: 'POST',
      path: '/transactions',
      body,
      acknowledge(status, answer) {
        const transaction = paymentOf(status, answer)
        const payment = {
          id: idOf(transaction),
          order: key,
          amount,
          status: String(transaction.status),
          refunded: 0,
        }
        known.payments.push(payment)
        if (isShared && payment.status === 'processed') known.shared.push(payment)
        else mine.push(payment)
      },
    }
  }

  private refund(key: string, payment: KnownPayment, amount: number): MoneyRequest {
    const { known } = this
    const body = {
      type: 'refund',
      amount: amount / 100,
      order_number: key,
      ledger: [{ assoc_transaction_id: payment.id }],
    }
    return {
      key,
      method: 'POST',
      path: '/transactions',
      body,
      acknowledge(status, answer) {
        if (status === 400 && known.shared.includes(payment)) known.refused++
        else {
          if (status !== 200) throw new Error(`A refund was answered ${status} ${JSON.stringify(answer)}`)
          known.refunds.push({ id: idOf(answer), order: key, payment: payment.id, amount })
          payment.refunded += amount
        }
      },
    }
  }

  private change(key: string, payment: KnownPayment, wanted: string): MoneyRequest {
    return {
      key,
      method: 'PUT',
      path: `/transactions/${payment.id}`,
      body: { status: wanted },
      acknowledge(status, answer) {
        if (status !== 200 || answer.status !== wanted)
          throw new Error(`${wanted} was answered ${status} ${JSON.stringify(answer)}`)
        payment.status = wanted
      },
    }
  }
}

async function fetchWhole(url: string, request: RequestInit) {
  const response = await fetch(url, request)
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** The payment in an answer; for a decline, the one in the error. */
function paymentOf(status: number, answer: JsonObject): JsonObject {
  if (status === 200) return answer
  if (answer.error_type === 'TransactionDeclined') return objectOf(answer.details)
  throw new Error(`A payment was answered ${status} ${JSON.stringify(answer)}`)
}
