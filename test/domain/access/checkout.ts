import { type Clock, systemClock } from '../../../src/platform/clock.js'
import type { JsonObject } from '../../../src/schema/json.js'
import type { Databases } from '../../support/databases.js'
import { card, processingAccount } from '../../support/examples.js'
import { type HttpAnswer, type HttpService, httpService } from '../../support/http.js'

/** Two shops, one of them with a customer, and the client keys of its pages. */
export class Checkout {
  shop = ''
  other = ''
  customer = ''
  secret = ''
  manager = ''

  private constructor(readonly service: HttpService) {}

  static async open(open: Databases, clock: Clock = systemClock): Promise<Checkout> {
    const checkout = new Checkout(await httpService(await open.migrated(), { clock }))
    checkout.manager = await checkout.service.key({ manage: true })
    checkout.secret = await checkout.service.key()
    checkout.shop = await checkout.idOf('/processing_accounts', processingAccount())
    checkout.other = await checkout.idOf('/processing_accounts', processingAccount('Other Books'))
    const customer = { name: 'Ada', primary_processing_id: checkout.shop }
    checkout.customer = await checkout.idOf('/customers', customer)
    return checkout
  }

  /** Makes an object; returns its id. */
  async idOf(path: string, body: JsonObject, key = this.secret): Promise<string> {
    const answer = await this.service.ask(key, 'POST', path, body)
    if (answer.status !== 200) throw new Error(`POST ${path}: ${JSON.stringify(answer.body)}`)
    return String(answer.body.id)
  }

  /** Makes a client key. */
  async make(body: JsonObject = {}, maker = this.secret): Promise<string> {
    return await this.idOf('/access_tokens', { type: 'client', ...body }, maker)
  }

  payment(more: JsonObject = {}): JsonObject {
    return { type: 'payment', amount: 10, processing_id: this.shop, payment_method: card(), ...more }
  }

  async pay(key: string, more: JsonObject = {}): Promise<HttpAnswer> {
    return await this.service.ask(key, 'POST', '/transactions', this.payment(more))
  }

  /** The status of a payment; for a refusal, the HTTP status and the details. */
  async outcome(key: string, more: JsonObject = {}) {
    const { status, body } = await this.pay(key, more)
    return status === 200 ? body.status : [status, body.details]
  }
}
