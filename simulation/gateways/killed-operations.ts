import { writeDataUrl } from '../../src/schema/data-url.js'
import type { JsonObject } from '../../src/schema/json.js'
import type { Posted, WireServer } from '../../test/gateways/contract/opened-rail.js'
import { idOf, objectOf, valuesOf } from '../../test/support/core.js'
import { card } from '../../test/support/examples.js'
import type { Merchant } from './connected-place.js'

/** Operations during which a process is killed. */
export const OPERATIONS = [
  'sale',
  'capture',
  'capture_part',
  'void',
  'refund',
  'watched_sale',
  'cancel',
  'store',
  'contest',
  'accept',
  'retry',
  'link',
  'payout_failed',
] as const
export type Operation = (typeof OPERATIONS)[number]

/** A request during which a process is killed. It is repeated later. */
export interface Asked {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

export interface Answered {
  readonly status: number
  readonly body: JsonObject
}

/** The rail under test. If the rail is another `payctl serve`, the optional parts are missing. */
export type KilledRail = Pick<WireServer, 'configuration' | 'network' | 'taken' | 'sent'> &
  Partial<WireServer>

/** Milliseconds between two checks for the effect of a notification, and the maximal number of checks. */
const LOOK = { every: 100, times: 600 }
const PDF = writeDataUrl({ bytes: Buffer.from('%PDF-1.7') })

/** Prepares operations: does everything that must happen before the request during which the process is killed. */
export class KilledOperations {
  payments = 0

  constructor(
    private readonly wire: KilledRail,
    private readonly merchant: Merchant,
    private readonly ask: (asked: Asked) => Promise<Answered>,
  ) {}

  /** Returns the request of an operation; for an operation that the rail does not support, the request of a sale. */
  async prepare(operation: Operation): Promise<Asked> {
    switch (operation) {
      case 'sale':
        return this.payment('processed')
      case 'watched_sale':
        return this.payment('processed', this.wire.authenticating?.method)
      case 'capture':
      case 'capture_part':
      case 'void':
        return await this.change(operation)
      case 'refund':
        return await this.refund(await this.settled())
      case 'cancel':
        return await this.cancel()
      case 'store':
        return await this.store()
      case 'contest':
      case 'accept':
        return await this.answer(operation)
      case 'retry':
        return await this.retry()
      case 'link':
        return await this.link()
      case 'payout_failed':
        return await this.payoutFailed()
    }
  }

  private async change(operation: 'capture' | 'capture_part' | 'void'): Promise<Asked> {
    const { body } = await this.ask(this.payment(operation === 'void' ? 'processed' : 'authorized'))
    const path = `/transactions/${idOf(body)}`
    const key = `${operation} ${idOf(body)}`
    if (operation === 'capture_part') return this.request('POST', `${path}/capture`, { amount: 1 }, key)
    return this.request('PUT', path, { status: operation === 'capture' ? 'processed' : 'voided' }, key)
  }

  /** Takes a payment and returns its id. At Authorize.Net, which refunds only settled payments, settles it. */
  private async settled(): Promise<string> {
    const { body } = await this.ask(this.payment('processed'))
    const id = idOf(body)
    if (this.wire.configuration.kind !== 'authorizenet') return id
    await this.wire.settle?.()
    // The declined void makes the service notice that the payment is settled.
    await this.ask(this.request('PUT', `/transactions/${id}`, { status: 'voided' }, `settled ${id}`))
    return id
  }

  private async refund(payment: string): Promise<Asked> {
    const refund = { type: 'refund', amount: 1, ledger: [{ assoc_transaction_id: payment }] }
    return this.request('POST', '/transactions', refund, `refund ${payment}`)
  }

  /** The payer gives up, on payctl's page, a payment that waits for authentication. */
  private async cancel(): Promise<Asked> {
    const { authenticating } = this.wire
    if (!authenticating) return this.payment('processed')
    const { body } = await this.ask(this.payment('processed', authenticating.method))
    const { pathname, search } = new URL(String(objectOf(body.next_action).url))
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    return { method: 'POST', path: pathname + search, headers, body: 'answer=give_up' }
  }

  /** A payer saves a card on a page. */
  private async store(): Promise<Asked> {
    const key = `customer ${++this.payments}`
    const { body: customer } = await this.ask(
      this.request(
        'POST',
        '/customers',
        { name: 'Ada Park', primary_processing_id: this.merchant.processingId },
        key,
      ),
    )
    const intent = { payment_method_form: { payment_method: { account_id: idOf(customer) } } }
    const { body: page } = await this.ask(
      this.request('POST', '/access_tokens', { type: 'client', intent }, `page ${key}`),
    )
    return this.request('POST', '/payment_methods', card(), `method ${key}`, idOf(page))
  }

  private async answer(verb: 'contest' | 'accept'): Promise<Asked> {
    const { disputes, takeBack, settle } = this.wire
    if (!disputes || !takeBack) return this.payment('processed')
    const { id, there } = await this.taken()
    await settle?.()
    await this.post((await takeBack(there)).posted)
    const dispute = await this.listed(`/disputes?transaction_id=${id}`)
    const evidence = { text: 'It was delivered', files: [{ name: 'slip.pdf', content: PDF }] }
    const body = verb === 'contest' ? evidence : {}
    return this.request('POST', `/disputes/${dispute}/${verb}`, body, `${verb} ${dispute}`)
  }

  /** A refund fails after it was approved; the merchant retries it. */
  private async retry(): Promise<Asked> {
    const { failRefund } = this.wire
    if (!failRefund) return this.payment('processed')
    const { id } = await this.taken()
    const { body } = await this.ask(await this.refund(id))
    await this.post(await failRefund(await this.gatewayIdOf(idOf(body))))
    return await this.resolve(idOf(body), 'retry')
  }

  /** The merchant links a refund that was made by hand at the processor to its payment. */
  private async link(): Promise<Asked> {
    const { refundByHand, notice } = this.wire
    if (!refundByHand || !notice) return this.payment('processed')
    const { id, there } = await this.taken()
    await this.post(notice(await refundByHand(there, 100)))
    return await this.resolve(id, 'link', { transaction_id: id })
  }

  private async resolve(transaction: string, resolution: string, more: JsonObject = {}): Promise<Asked> {
    const exception = await this.listed(`/admin/exceptions?transaction_id=${transaction}`)
    const body = { resolution, reason: 'so decided', ...more }
    return this.request('POST', `/admin/exceptions/${exception}/resolve`, body, `${resolution} ${exception}`)
  }

  /** The processor reports that a payout failed after payctl had read it. */
  private async payoutFailed(): Promise<Asked> {
    const { failPayout, settle } = this.wire
    if (!failPayout) return this.payment('processed')
    await this.taken()
    await settle?.()
    await this.ask(this.request('POST', '/admin/pull_settlements', {}, `pull ${++this.payments}`))
    const posted = failPayout()
    return posted ? this.notification(posted) : this.payment('processed')
  }

  /** Takes a payment. Returns its id, and the rail's id of it (`there`). */
  private async taken(): Promise<{ readonly id: string; readonly there: string }> {
    const { body } = await this.ask(this.payment('processed'))
    return { id: idOf(body), there: await this.gatewayIdOf(idOf(body)) }
  }

  private async gatewayIdOf(id: string): Promise<string> {
    const { body } = await this.ask(this.request('GET', `/transactions/${id}?fields=gateway_id`))
    return String(body.gateway_id)
  }

  /** Id of the first object in a list. Waits until there is one. */
  private async listed(path: string): Promise<string> {
    for (let times = 0; times < LOOK.times; times++) {
      const [found] = valuesOf((await this.ask(this.request('GET', path))).body)
      if (found) return idOf(found)
      await new Promise((resolve) => setTimeout(resolve, LOOK.every))
    }
    throw new Error(`Nothing comes of a notification: ${path}`)
  }

  private async post(posted: Posted): Promise<void> {
    await this.ask(this.notification(posted))
  }

  private notification({ headers, body }: Posted): Asked {
    const path = `/gateways/${this.merchant.gatewayId}/notifications`
    return { method: 'POST', path, headers: { 'content-type': 'application/json', ...headers }, body }
  }

  private payment(status: string, method: JsonObject = card()): Asked {
    const key = `payment ${++this.payments}`
    const body = {
      type: 'payment',
      status,
      amount: 10 + this.payments / 100,
      order_number: key,
      processing_id: this.merchant.processingId,
      payment_method: method,
    }
    return this.request('POST', '/transactions', body, key)
  }

  private request(
    method: string,
    path: string,
    body?: JsonObject,
    key?: string,
    credential = this.merchant.secretKey,
  ): Asked {
    const headers = {
      authorization: `Bearer ${credential}`,
      ...(body && { 'content-type': 'application/json' }),
      ...(key !== undefined && { 'idempotency-key': key }),
    }
    return { method, path, headers, ...(body && { body: JSON.stringify(body) }) }
  }
}
