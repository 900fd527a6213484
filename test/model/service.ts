import type { ApiResponse } from '../../src/engine/core/request/request.js'
import type { Json, JsonObject } from '../../src/schema/json.js'
import type { Method } from '../../src/schema/resource.js'
import { idOf, listOf, objectOf, type SendOptions, type TestCore, valuesOf } from '../support/core.js'
import { bankAccount, card, processingAccount } from '../support/examples.js'
import type { Action, Payer, Price } from './actions.js'
import { asked, at, capturedPart, type Model, type Transaction } from './model.js'

export interface Request {
  readonly method: Method
  readonly path: string
  readonly body?: Json
}

/** The real service, with a separate processing account. */
export class Service {
  /** Ids of the transactions, in order of creation. */
  readonly ids: string[] = []

  constructor(
    private readonly core: TestCore,
    readonly processingId: string,
  ) {}

  async send({ method, path, body }: Request, options?: SendOptions): Promise<ApiResponse> {
    return await this.core.send(method, path, body, options)
  }

  /** The request for an action, before the model has performed it. */
  requestOf(action: Action, model: Model): Request {
    switch (action.kind) {
      case 'pay': {
        const payment_method = { ...METHODS[action.by](), keep_active: !action.once }
        const status: JsonObject = action.hold ? { status: 'authorized' } : {}
        return this.post({ type: 'payment', amount: action.cents / 100, payment_method, ...status })
      }
      case 'pay_out':
        return this.post({ type: action.as, amount: action.cents / 100, payment_method: card() })
      case 'refund':
      case 'refund_twice': {
        const parts = action.kind === 'refund' ? [action.part] : action.parts
        const ledger = [{ assoc_transaction_id: this.idOf(model, action.nth) }]
        const refunds = asked(at(model, action.nth), parts).map((cents) => ({
          type: 'refund',
          amount: cents / 100,
          ledger,
        }))
        const body = action.kind === 'refund' ? (refunds[0] ?? null) : { object: 'list', values: refunds }
        return { method: 'POST', path: '/transactions', body }
      }
      case 'charge_back': {
        const [cents = 0] = asked(at(model, action.nth), [action.part])
        const amount = cents / 100
        return this.bank({ event: 'chargeback', transaction_id: this.idOf(model, action.nth), amount })
      }
      case 'capture_part': {
        const amount = capturedPart(at(model, action.nth), action.part) / 100
        const path = `/transactions/${this.idOf(model, action.nth)}/capture`
        return { method: 'POST', path, body: { amount } }
      }
      case 'win':
        return this.bank({ event: 'dispute_won', transaction_id: this.idOf(model, action.nth) })
      case 'describe':
        return this.put(model, action.nth, { description: action.text })
      case 'capture':
        return this.put(model, action.nth, { status: 'processed' })
      case 'void':
        return this.put(model, action.nth, { status: 'voided' })
      case 'delete':
        return { method: 'DELETE', path: `/transactions/${this.idOf(model, action.nth)}` }
    }
  }

  /** The account's transactions as the service shows them, with the attributes of the model. */
  async shown(): Promise<JsonObject[]> {
    const query = `processing_id=${this.processingId}&fields=*,conv_fee,ledger&limit=1000&order_by=id`
    return valuesOf(await this.core.ok('GET', '/transactions', undefined, { query })).map((transaction) => ({
      ...this.told(transaction),
      conv_fee: transaction.conv_fee ?? null,
      ledger: listOf(transaction.ledger)
        .map(objectOf)
        .map(
          ({ entry_type, amount, assoc_transaction_id }) => `${entry_type} ${amount} ${assoc_transaction_id}`,
        )
        .sort(),
    }))
  }

  /** The attributes of a transaction in an answer, reduced to those in the model. */
  told({ type, amount, status, funding_status, fee, description }: JsonObject): JsonObject {
    return Object.fromEntries(
      Object.entries({ type, amount, status, funding_status, fee, description }).map(([name, value]) => [
        name,
        value ?? null,
      ]),
    )
  }

  /** The transactions that the service must show for the model. */
  expected({ transactions }: Model): JsonObject[] {
    return transactions.flatMap((transaction, place) =>
      transaction.deleted
        ? []
        : [
            {
              ...expectedAnswer(transaction),
              conv_fee: transaction.fees.conv / 100,
              ledger: this.expectedLedger(transactions, place),
            },
          ],
    )
  }

  private expectedLedger(transactions: readonly Transaction[], place: number): string[] {
    const { of, type, amount, excess } = transactions[place] ?? {
      of: null,
      type: 'payment',
      amount: 0,
      excess: 0,
    }
    const sign = type === 'chargeback_reversal' ? -1 : 1
    const own =
      of === null || amount === excess ? [] : [`payment ${(sign * (amount - excess)) / 100} ${this.ids[of]}`]
    const others = transactions.flatMap((other, at) => {
      const entered = other.amount - other.excess
      const taken = other.type === 'chargeback_reversal' ? entered : -entered
      return other.of === place && entered > 0 ? [`${other.type} ${taken / 100} ${this.ids[at]}`] : []
    })
    return [...own, ...others].sort()
  }

  private post(body: JsonObject): Request {
    return { method: 'POST', path: '/transactions', body: { ...body, processing_id: this.processingId } }
  }

  private bank(body: JsonObject): Request {
    return { method: 'POST', path: '/admin/simulate', body }
  }

  private put(model: Model, nth: number, body: JsonObject): Request {
    return { method: 'PUT', path: `/transactions/${this.idOf(model, nth)}`, body }
  }

  private idOf({ transactions }: Model, nth: number): string {
    return this.ids[nth % transactions.length] ?? ''
  }
}

/** A new account with its own prices. */
export async function openService(core: TestCore, price: Price): Promise<Service> {
  const account = await core.ok('POST', '/processing_accounts', processingAccount())
  const settings = objectOf(objectOf(account.processing).settings)
  await core.ok('PUT', `/processing_settings/${idOf(settings)}`, {
    credit_trans_rate: price.rate / 10_000,
    credit_trans_cost: price.cost / 100,
    credit_conv_fee_alloc: price.alloc / 10_000,
    billing_preference: price.monthly ? 'billed_monthly' : 'netted_daily',
  })
  return new Service(core, idOf(account))
}

/** Expected attributes of a transaction in an answer. */
export function expectedAnswer({
  type,
  amount,
  status,
  funding,
  fees,
  description,
}: Transaction): JsonObject {
  return { type, amount: amount / 100, status, funding_status: funding, fee: fees.fee / 100, description }
}

/** Expected answer to a bank event, for the transaction that records it. */
export function expectedEvent({ type, amount, fees }: Transaction): JsonObject {
  return { type, amount: amount / 100, fee: (fees.fee + fees.accrued) / 100 }
}

const METHODS: Readonly<Record<Payer, () => JsonObject>> = {
  card: () => card(),
  declined_card: () => card('4111111111119903'),
  bank_account: () => bankAccount(),
}
