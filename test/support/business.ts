import { millisecondsOf } from '../../src/schema/datetime.js'
import type { JsonObject } from '../../src/schema/json.js'
import { audit } from './audit/audit.js'
import { type Kept, readKept } from './audit/kept.js'
import { idOf, objectOf, openCore, type TestCore, valuesOf } from './core.js'
import type { Databases } from './databases.js'
import { makeProcessing } from './examples.js'

type Options = Parameters<typeof openCore>[1]

/** A core whose clock the test sets. Business days in New York end at 00:00 UTC, or 23:00 in summer. */
export class Business {
  private constructor(
    readonly core: TestCore,
    private readonly time: { now: number },
  ) {}

  static async open(
    open: Databases,
    options: Options = {},
    start = '2030-01-15 17:00:00',
  ): Promise<Business> {
    const time = { now: millisecondsOf(start) }
    return new Business(await openCore(open, { clock: { now: () => time.now }, ...options }), time)
  }

  at(datetime: string): void {
    this.time.now = millisecondsOf(datetime)
  }

  /** Another process on the same database, with the same time. */
  async another(open: Databases, options: Options = {}): Promise<TestCore> {
    return await openCore(open, { ...this.core.place, clock: { now: () => this.time.now }, ...options })
  }

  /** Makes a processing account with its own settings; returns its id. */
  async account(settings: JsonObject = {}, more: JsonObject = {}): Promise<string> {
    const { core } = this
    const id = await makeProcessing(core)
    if (Object.keys(more).length > 0) await core.ok('PUT', `/accounts/${id}`, more)
    const made = await core.ok('GET', `/processing_accounts/${id}`)
    const own = idOf(objectOf(objectOf(made.processing).settings))
    if (Object.keys(settings).length > 0) await core.ok('PUT', `/processing_settings/${own}`, settings)
    return id
  }

  async refund(payment: string, amount: number) {
    const ledger = [{ assoc_transaction_id: payment }]
    return await this.core.ok('POST', '/transactions', { type: 'refund', amount, ledger })
  }

  async simulate(event: string, payment: string, more: JsonObject = {}): Promise<JsonObject> {
    return await this.core.ok('POST', '/admin/simulate', { event, transaction_id: payment, ...more })
  }

  async run(body: JsonObject = {}, core = this.core): Promise<JsonObject> {
    return await core.ok('POST', '/admin/funding/run', body)
  }

  /** Describes the deposits that a funding run has completed, or that a plan announces. */
  async deposits(answer: Promise<JsonObject>): Promise<string[]> {
    const { deposits } = await answer
    if (!Array.isArray(deposits)) throw new Error('No deposits')
    return deposits.map(objectOf).map(shownBatch)
  }

  async plan(query = ''): Promise<JsonObject> {
    return await this.core.ok('GET', '/admin/funding/plan', undefined, { query })
  }

  async read(id: string): Promise<JsonObject> {
    return await this.core.ok('GET', `/transactions/${id}`)
  }

  /** Entries of a transaction, oldest first: type and amount. */
  async ledger(id: string): Promise<string[]> {
    const { core } = this
    const entries = valuesOf(
      await core.ok('GET', `/transactions/${id}/ledger`, undefined, { query: 'order_by=id' }),
    )
    return entries.map(({ entry_type, amount }) => `${entry_type} ${amount}`)
  }

  /** All transactions of a type of an account, oldest first. */
  async all(processing: string, type: string): Promise<JsonObject[]> {
    const query = `processing_id=${processing}&type=${type}&order_by=id&limit=1000`
    return valuesOf(await this.core.ok('GET', '/transactions', undefined, { query }))
  }

  /** Problems of the books, of all accounts or of one. */
  async audit(processing?: string): Promise<string[]> {
    return audit(await this.kept(processing))
  }

  async kept(processing?: string): Promise<Kept> {
    const handle = this.core.environment.core
    const kept = await handle.write(({ tx }) => readKept(tx))
    return processing === undefined ? kept : ofAccount(kept, processing)
  }
}

function ofAccount(kept: Kept, processing: string): Kept {
  const transactions = kept.transactions.filter(({ processing_id: id }) => id === processing)
  const ids = new Set(transactions.map(({ id }) => id))
  return {
    ...kept,
    transactions,
    entries: kept.entries.filter(({ transaction_id: id }) => ids.has(id ?? '')),
    postings: kept.postings.filter(({ processing_id: id }) => id === processing),
    events: kept.events.filter(({ processing_id: id }) => id === processing),
  }
}

function shownBatch({ period, type, amount, fee, transactions }: JsonObject): string {
  return `${period} ${type} ${amount} fee ${fee} of ${transactions}`
}
