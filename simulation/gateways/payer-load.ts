import type { App } from '../../src/app.js'
import { owner, type Principal } from '../../src/engine/core/request/principal.js'
import type { JsonObject } from '../../src/schema/json.js'
import type { Method } from '../../src/schema/resource.js'
import type { WireServer } from '../../test/gateways/contract/opened-rail.js'
import type { Chance } from '../../test/support/chance.js'
import { idOf } from '../../test/support/core.js'
import { card } from '../../test/support/examples.js'
import type { Merchant } from './connected-place.js'

const AT_ONCE = 16
/** Percentages of payments of special kinds. */
const PERCENT = {
  /** The payer has to authenticate, if the rail supports that. */
  watched: 10,
  /**
   * Paid with a token of a page's fields. Of these tokens, `usedAgain` are used twice, and `old` were made too long
   * ago.
   */
  typed: 10,
  usedAgain: 30,
  old: 20,
  /** A method is stored first, and charged afterwards. */
  stored: 5,
}

/** Concurrent clients that send the requests of many payers. */
export class PayerLoad {
  readonly problems: string[] = []
  private begun = 0
  private oldTokens: string[] = []

  constructor(
    private readonly app: App,
    private readonly wire: WireServer,
    private readonly merchant: Merchant,
    private readonly chance: Chance,
    /** Called for each answer that asks the client to retry later. */
    private readonly wait: () => Promise<void>,
  ) {}

  /** Sends requests until `payments` payments were started. */
  async take(payments: number): Promise<void> {
    const old = this.oldTokens
    this.oldTokens = await Promise.all(Array.from({ length: AT_ONCE }, () => this.wire.token()))
    const client = async () => {
      while (this.begun < payments) await this.story(++this.begun, old)
    }
    await Promise.all(Array.from({ length: AT_ONCE }, client))
  }

  /** Takes one payment; often captures, voids or refunds it. */
  private async story(number: number, old: string[]): Promise<void> {
    const { chance } = this
    if (chance.percent(PERCENT.stored)) return await this.store(number)
    const isHeld = chance.percent(30)
    const wantsMore = chance.percent(60)
    const isWatched = this.wire.authenticating !== undefined && chance.percent(PERCENT.watched)
    const isTyped = !isWatched && chance.percent(PERCENT.typed)
    const method = isTyped ? await this.typed(old) : this.method(isWatched)
    const paid = await this.pay(number, {
      status: isHeld ? 'authorized' : 'processed',
      payment_method: method,
    })
    if (isTyped && chance.percent(PERCENT.usedAgain))
      await this.pay(number, { amount: 7 + number / 100, payment_method: method })
    if (isWatched) return await this.authenticate(paid)
    if (!wantsMore || paid.status !== (isHeld ? 'authorized' : 'processed')) return
    const path = `/transactions/${String(paid.id)}`
    const refund = { type: 'refund', amount: 1, ledger: [{ assoc_transaction_id: String(paid.id) }] }
    if (isHeld) await this.end(path)
    else if (chance.percent(50)) await this.send('PUT', path, { status: 'voided' })
    else await this.send('POST', '/transactions', refund)
  }

  private method(isWatched: boolean): JsonObject {
    const { chance, wire } = this
    const declining = chance.percent(5) ? chance.pick(wire.declines)?.method : undefined
    return (isWatched ? wire.authenticating?.method : declining) ?? card()
  }

  /** A method from a page: a token of the rail's fields, made now or hours ago. */
  private async typed(old: string[]): Promise<JsonObject> {
    const before = this.chance.percent(PERCENT.old) ? old.pop() : undefined
    return { type: 'card', gateway_token: { gateway: 'rail', token: before ?? (await this.wire.token()) } }
  }

  private async pay(number: number, more: JsonObject): Promise<JsonObject> {
    return await this.send('POST', '/transactions', {
      type: 'payment',
      amount: 10 + number / 100,
      processing_id: this.merchant.processingId,
      ...more,
    })
  }

  /**
   * A payer saves a card on a page, then the card is charged. A payer who should authenticate for it leaves instead.
   */
  private async store(number: number): Promise<void> {
    const customer = idOf(await this.send('POST', '/customers', { name: 'Ada Park' }))
    const { default_payment_method: _, ...method } = this.method(
      this.wire.authenticating !== undefined && this.chance.percent(PERCENT.watched),
    )
    const page: Principal = {
      kind: 'client',
      id: 'key_of_a_page',
      manage: false,
      grants: { payment_methods: ['POST'] },
      intent: { account_id: customer, default_payment_method: 1, type: 'card' },
      address: '203.0.113.7',
    }
    const stored = await this.send('POST', '/payment_methods', method, page)
    if (typeof stored.id === 'string') await this.pay(number, { customer_id: customer })
  }

  /**
   * The payer authenticates, refuses, or leaves. If the answer to the payment was lost, the payer cannot authenticate.
   */
  private async authenticate({ id, status_code: code }: JsonObject): Promise<void> {
    if (code !== 'authentication_required') return
    const { core } = await this.app.environment('test')
    const { body } = await core.handle({
      method: 'GET',
      path: `/transactions/${String(id)}`,
      query: [['fields', 'gateway_id,status']],
      principal: owner,
    })
    if (body.status !== 'processing' || typeof body.gateway_id !== 'string') return
    if (this.chance.percent(70))
      await this.wire.authenticating?.answer(body.gateway_id, this.chance.percent(60))
  }

  /** Captures an authorized payment, in full or in part, or voids it. */
  private async end(path: string): Promise<void> {
    const { chance } = this
    if (chance.percent(25)) await this.send('POST', `${path}/capture`, { amount: 9 })
    else await this.send('PUT', path, { status: chance.percent(70) ? 'processed' : 'voided' })
  }

  /** Sends a request and returns the body. Unknown outcomes are resolved later; an unexpected status is a problem. */
  async send(
    method: Method,
    path: string,
    body: JsonObject,
    principal: Principal = owner,
  ): Promise<JsonObject> {
    const { core } = await this.app.environment('test')
    const answer = await core.handle({ method, path, body, query: [], principal })
    if (![200, 400, 409, 503].includes(answer.status))
      this.problems.push(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    if (answer.status === 503) await this.wait()
    return answer.body
  }
}
