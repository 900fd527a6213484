import type { App } from '../../src/app.js'
import { writeDataUrl } from '../../src/schema/data-url.js'
import type { JsonObject } from '../../src/schema/json.js'
import type { Posted, WireServer } from '../../test/gateways/contract/opened-rail.js'
import type { Chance } from '../../test/support/chance.js'
import { idOf } from '../../test/support/core.js'
import { type Ask, allOf, allTransactions, type Merchant } from './connected-place.js'
import type { PayerLoad } from './payer-load.js'

/** Percentages of settled payments that are refunded, disputed, or refunded by hand; and of refunds that fail. */
const PERCENT = { refunded: 10, disputed: 4, givenBack: 2, failed: 20 }
/** Percentage of pauses in which the last payout fails. */
const PERCENT_FAILED_PAYOUT = 30
/** Number of payments that others take at the same account between two pauses. */
const FOREIGN = 5
/** Maximal number of transactions that are considered in a pause. */
const LOOKED_AT = 400
const PDF = writeDataUrl({ bytes: Buffer.from('%PDF-1.7') })

interface DaysAfterOptions {
  readonly ask: Ask
  readonly app: App
  readonly wire: WireServer
  readonly merchant: Merchant
  readonly load: PayerLoad
  readonly chance: Chance
}

/** Simulates the days after payments: disputes, failures, and actions of the merchant. */
export class DaysAfter {
  /** Minor units (cents) that others have taken at the same account. */
  elsewhere = 0
  private lookedUntil = ''

  constructor(private readonly on: DaysAfterOptions) {}

  /** Lets others take payments at the same account, which the next settlement will contain. */
  async takeElsewhere(): Promise<void> {
    const { wire, chance } = this.on
    for (let count = 0; count < FOREIGN; count++) {
      const amount = chance.integer(100, 9_999)
      await wire.foreign(amount)
      this.elsewhere += amount
    }
  }

  /** Lets payers dispute, refunds and payouts fail, and people refund by hand at the processor. */
  async happen(): Promise<void> {
    const { wire, chance, ask } = this.on
    const fresh = (await allTransactions(ask)).filter(({ id }) => String(id) > this.lookedUntil)
    this.lookedUntil = String(fresh.at(-1)?.id ?? this.lookedUntil)
    for (const { id, type, status, gateway_id: there } of fresh.slice(0, LOOKED_AT)) {
      if (status !== 'processed' || typeof there !== 'string') continue
      if (type === 'payment') await this.change(String(id), there)
      else if (type === 'refund' && wire.failRefund && chance.percent(PERCENT.failed))
        await this.post(await wire.failRefund(there))
    }
    if (wire.failPayout && chance.percent(PERCENT_FAILED_PAYOUT)) {
      const posted = wire.failPayout()
      if (posted) await this.post(posted)
    }
  }

  private async change(id: string, there: string): Promise<void> {
    const { wire, chance, load } = this.on
    if (chance.percent(PERCENT.refunded)) {
      const ledger = [{ assoc_transaction_id: id }]
      await load.send('POST', '/transactions', { type: 'refund', amount: 2, ledger })
    } else if (chance.percent(PERCENT.disputed)) await this.post((await wire.takeBack(there)).posted)
    else if (chance.percent(PERCENT.givenBack)) await this.giveBack(there)
  }

  /** Refunds a part of a payment by hand at the processor, if that is still possible. */
  private async giveBack(there: string): Promise<void> {
    const { wire } = this.on
    try {
      const refund = await wire.refundByHand(there, 100)
      await this.post(wire.notice(refund))
    } catch {
      // The processor refuses: the whole payment was refunded before.
    }
  }

  /** Answers disputes and resolves exceptions, with a random answer or resolution. */
  async decide(): Promise<void> {
    const { ask, load, chance } = this.on
    for (const dispute of await allOf(ask, '/disputes', [['stage', 'needs_response']])) {
      const path = `/disputes/${idOf(dispute)}`
      const files = [{ name: 'slip.pdf', content: PDF }]
      const answer = chance.pick(['contest', 'contest', 'accept', 'none'] as const)
      if (answer === 'contest') await load.send('POST', `${path}/contest`, { text: 'It was sent', files })
      if (answer === 'accept') await load.send('POST', `${path}/accept`, {})
    }
    for (const exception of await this.open())
      if (chance.percent(70)) await this.resolve(exception, chance.pick(resolutionsOf(exception)))
  }

  /** Resolves all open exceptions. Repeats this, because a resolution may lead to new ones. */
  async decideAll(): Promise<void> {
    for (let round = 0; round < 5; round++)
      for (const exception of await this.open())
        await this.resolve(exception, resolutionsOf(exception).at(-1))
  }

  async open(): Promise<readonly JsonObject[]> {
    return await allOf(this.on.ask, '/admin/exceptions', [['status', 'open']])
  }

  private async resolve(exception: JsonObject, resolution = 'ignore'): Promise<void> {
    const { load } = this.on
    const { transaction_id: of } = exception
    const isLink = resolution === 'link'
    await load.send('POST', `/admin/exceptions/${idOf(exception)}/resolve`, {
      resolution: isLink && typeof of !== 'string' ? 'ignore' : resolution,
      reason: 'so decided',
      ...(isLink && typeof of === 'string' && { transaction_id: of }),
    })
  }

  /** Adds another gateway, creates its endpoint for notifications at the rail, and removes both. */
  async connectAnother(): Promise<void> {
    const { ask, wire, load } = this.on
    const made = await ask('POST', '/admin/gateways', { name: 'another', ...wire.configuration })
    const another = `/admin/gateways/${idOf(made)}`
    await load.send('POST', `${another}/endpoint`, {})
    if (this.on.chance.percent(50)) await load.send('POST', `${another}/endpoint`, {})
    await load.send('POST', `${another}/remove_endpoint`, {})
    await load.send('DELETE', another, {})
  }

  private async post(posted: Posted): Promise<void> {
    await this.on.app.receiveNotification({ id: this.on.merchant.gatewayId, ...posted })
  }
}

function resolutionsOf({ resolutions }: JsonObject): readonly string[] {
  return Array.isArray(resolutions) ? resolutions.map(String) : []
}
