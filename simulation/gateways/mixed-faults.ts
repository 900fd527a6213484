import type { App } from '../../src/app.js'
import { owner } from '../../src/engine/core/request/principal.js'
import type { JsonObject } from '../../src/schema/json.js'
import type { Fault } from '../../test/gateways/contract/faulty-network.js'
import type { Time, WireServer } from '../../test/gateways/contract/opened-rail.js'
import { type RAILS, wireServers } from '../../test/gateways/contract/wire-servers.js'
import { type Chance, seededChance } from '../../test/support/chance.js'
import type { Place } from '../../test/support/databases.js'
import { card } from '../../test/support/examples.js'
import { type Ask, asOperator, compareBooks, connectPlace, type Merchant } from './connected-place.js'

const FAULTS: readonly Fault[] = [
  'lost_before',
  'lost_after',
  'arrives_late',
  'slow',
  'unavailable',
  'fails_after',
  'malformed',
  'huge',
]
const AT_ONCE = 16
/** Number of payments between two pauses, in which the horizon passes and open outcomes are resolved. */
const AT_A_TIME = 1_000
/** Milliseconds after which every rail's horizon is over. */
const LATER = 2 * 3_600_000
/** Percentage of chosen huge answers that are sent; the others become malformed, as huge answers take long. */
const PERCENT_HUGE = 5
/** Percentage of payments whose payer has to authenticate, at rails that have that. */
const PERCENT_WATCHED = 10

export interface MixedFaultsOptions {
  readonly kind: (typeof RAILS)[number]
  readonly place: Place
  readonly peerPlace: () => Promise<Place>
  readonly payments: number
  /** Percentage of requests that fail. */
  readonly percent: number
  readonly seed: number
  readonly tell?: (line: string) => void
}

export interface MixedFaultsReport {
  readonly payments: number
  readonly faults: number
  /** Open exceptions that explain differences, such as late approvals. */
  readonly explained: number
  readonly problems: readonly string[]
}

/**
 * Takes, captures (also parts), voids and refunds payments while requests and answers are lost, late, slow and garbled. Lets the
 * rail send every notification twice and in any order, then compares both books.
 */
export async function mixedFaults(options: MixedFaultsOptions): Promise<MixedFaultsReport> {
  const { kind, place, peerPlace, payments, percent, seed, tell = () => undefined } = options
  const chance = seededChance(seed)
  let shift = 0
  const time: Time = {
    get now() {
      return Date.now() + shift
    },
  }
  const wire = await wireServers[kind](time, peerPlace)
  const slow = setInterval(() => void wire.network.answerSlow(), 20)
  try {
    const merchant = await connectPlace(place, wire)
    let faults = 0
    wire.network.choose = () => {
      if (!chance.percent(percent)) return undefined
      faults++
      const fault = chance.pick(FAULTS)
      return fault === 'huge' && !chance.percent(PERCENT_HUGE) ? 'malformed' : fault
    }
    const reported: string[] = []
    const report = (error: unknown) => reported.push(String(error))
    return await asOperator(
      place,
      async (ask, app) => {
        const load = new Load(app, wire, merchant, chance)
        for (let taken = 0; taken < payments; ) {
          const begun = Date.now()
          taken = Math.min(taken + AT_A_TIME, payments)
          await load.take(taken)
          const asked = Date.now()
          shift += LATER
          await settleAll(ask, app, wire, load)
          const [taking, settling] = [asked - begun, Date.now() - asked].map((each) =>
            Math.round(each / 1000),
          )
          tell(`${kind}: ${taken} payments in ${taking} s, found out in ${settling} s, ${faults} faults`)
        }
        wire.network.choose = () => undefined
        // Outcomes of the last refunds, sent when their payments were settled, are also resolved once their horizon is
        // over.
        shift += LATER
        await settleAll(ask, app, wire, load)
        await (await app.environment('test')).reconcile(0)
        // Requests that were given up arrive after all, and the rail sends every notification, twice and in any order.
        await wire.network.release()
        tell(`${kind}: the rail tells of everything`)
        for (let times = 0; times < 2; times++) {
          for (const id of shuffled(await wire.operations(), chance))
            await app.receiveNotification({ id: merchant.gatewayId, ...wire.notice(id) })
          await (await app.environment('test')).reconcile(0)
        }
        await handleAll(ask, app)
        const open = await ask('GET', '/admin/exceptions', undefined, [
          ['status', 'open'],
          ['limit', '1000'],
        ])
        const explained = Array.isArray(open.values) ? open.values.length : 0
        const problems = [...reported, ...load.problems, ...(await compareBooks(ask, await wire.taken()))]
        return { payments, faults, explained, problems }
      },
      { clock: { now: () => time.now }, report },
    )
  } finally {
    clearInterval(slow)
    await wire.close()
  }
}

/** Settles payments, so that refunds that wait for the settlement are sent. */
async function settleAll(ask: Ask, app: App, wire: WireServer, { settles }: Load): Promise<void> {
  await (await app.environment('test')).reconcile(0)
  if (!settles) return
  await wire.settle()
  await ask('POST', '/admin/clock', { by: '3d' })
  await (await app.environment('test')).reconcile(0)
}

/** Handles notifications until none is waiting; one reconciliation handles several. */
async function handleAll(ask: Ask, app: App): Promise<void> {
  for (;;) {
    const waiting = await ask('GET', '/admin/gateway_notifications', undefined, [
      ['status', 'waiting'],
      ['limit', '1'],
    ])
    if (!Array.isArray(waiting.values) || waiting.values.length === 0) return
    await (await app.environment('test')).reconcile(0)
  }
}

function shuffled<T>(list: readonly T[], chance: Chance): readonly T[] {
  return list
    .map((item) => ({ item, at: chance.integer(0, 2 ** 31) }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ item }) => item)
}

/** Clients that send many requests at once. */
class Load {
  readonly problems: string[] = []
  private begun = 0

  constructor(
    private readonly app: App,
    private readonly wire: WireServer,
    private readonly merchant: Merchant,
    private readonly chance: Chance,
  ) {}

  /** Whether payments must be settled before a refund. */
  get settles(): boolean {
    return this.wire.configuration.kind === 'authorizenet'
  }

  /** Sends requests until this number of payments has begun. */
  async take(payments: number): Promise<void> {
    const client = async () => {
      while (this.begun < payments) {
        const number = ++this.begun
        await this.story(number)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, client))
  }

  /** Takes a payment, and often changes or refunds it. */
  private async story(number: number): Promise<void> {
    const { chance } = this
    const isHeld = chance.percent(30)
    const wantsMore = chance.percent(60)
    const isWatched = this.wire.authenticating !== undefined && chance.percent(PERCENT_WATCHED)
    const declining = chance.percent(5) ? chance.pick(this.wire.declines)?.method : undefined
    const paid = await this.send('POST', '/transactions', {
      type: 'payment',
      status: isHeld ? 'authorized' : 'processed',
      amount: 10 + number / 100,
      processing_id: this.merchant.processingId,
      payment_method: (isWatched ? this.wire.authenticating?.method : declining) ?? card(),
    })
    if (isWatched) return await this.authenticate(paid)
    if (!wantsMore || paid.status !== (isHeld ? 'authorized' : 'processed')) return
    const path = `/transactions/${String(paid.id)}`
    const refund = { type: 'refund', amount: 1, ledger: [{ assoc_transaction_id: String(paid.id) }] }
    if (isHeld) await this.end(path)
    else if (chance.percent(50)) await this.send('PUT', path, { status: 'voided' })
    else await this.send('POST', '/transactions', refund)
  }

  /** The payer authenticates, refuses, or leaves; one whose answer was lost never learns that it should. */
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

  /** Captures an authorized payment, all or a part of it, or voids it. */
  private async end(path: string): Promise<void> {
    const { chance } = this
    if (chance.percent(25)) await this.send('POST', `${path}/capture`, { amount: 9 })
    else await this.send('PUT', path, { status: chance.percent(70) ? 'processed' : 'voided' })
  }

  /** Sends a request. Open outcomes are resolved later; unexpected statuses are problems. */
  private async send(method: 'POST' | 'PUT', path: string, body: JsonObject): Promise<JsonObject> {
    const { core } = await this.app.environment('test')
    const answer = await core.handle({ method, path, body, query: [], principal: owner })
    if (![200, 400, 503].includes(answer.status))
      this.problems.push(`${path}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
}
