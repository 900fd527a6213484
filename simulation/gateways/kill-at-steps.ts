import type { JsonObject } from '../../src/schema/json.js'
import type { FaultyNetwork, Step } from '../../test/gateways/contract/faulty-network.js'
import { type RAILS, realTime, wireServers } from '../../test/gateways/contract/wire-servers.js'
import { type Chance, seededChance } from '../../test/support/chance.js'
import { idOf, objectOf } from '../../test/support/core.js'
import type { Place } from '../../test/support/databases.js'
import { card } from '../../test/support/examples.js'
import { type Server, startServer } from '../../test/support/server-process.js'
import { allTransactions, asOperator, compareBooks, connectPlace, type Merchant } from './connected-place.js'
import { PeerProcess } from './peer-process.js'

/** Steps of an operation at which `serve` is killed. */
const MOMENTS = [
  /** The client has sent the request; no call to the rail has been made. */
  'asked',
  /** The intent is committed and the call is made: the rail does not get it (`lost`), or does (`arrived`). */
  'lost',
  'arrived',
  /** The rail has performed the operation, and its answer is lost. */
  'done',
  /** The rail has answered; the answer may have been recorded or not. */
  'answered',
] as const
type Moment = (typeof MOMENTS)[number]

const STEPS: Readonly<Record<Exclude<Moment, 'asked'>, Step>> = {
  lost: 'arrived',
  arrived: 'arrived',
  done: 'done',
  answered: 'answered',
}

/** Expected warning on stderr about rails on this machine. */
const LOOPBACK = 'Warning: gateways on this machine (for tests)\n'

/** Operations during which a process is killed. */
const OPERATIONS = ['sale', 'capture', 'capture_part', 'void', 'refund', 'watched_sale'] as const

export interface KillOptions {
  readonly kind: (typeof RAILS)[number]
  /** An empty installation; `peerPlace` makes another one. */
  readonly place: Place
  readonly peerPlace: () => Promise<Place>
  /** Number of kills at each moment, and as many of the peer if that is a process. */
  readonly kills: number
  /** Whether the rail is another `serve`, which is killed as well. */
  readonly isPeerKilled?: boolean
  readonly seed: number
  readonly tell?: (line: string) => void
}

export interface KillReport {
  readonly kills: number
  readonly payments: number
  /** Problems, in words. */
  readonly problems: readonly string[]
}

/**
 * Kills `payctl serve` at every step of intent, call and outcome, and lets clients repeat requests under the same
 * keys. In the end, compares the rail's books with ours: no payment twice, none lost, each resolved or an exception.
 */
export async function killAtSteps({
  kind,
  place,
  peerPlace,
  kills,
  isPeerKilled = false,
  seed,
  tell,
}: KillOptions): Promise<KillReport> {
  const peer = isPeerKilled ? await PeerProcess.open(await peerPlace()) : undefined
  const wire = peer ?? (await wireServers[kind](realTime, peerPlace))
  try {
    const merchant = await connectPlace(place, wire)
    const settle = kind === 'authorizenet' && 'settle' in wire ? wire.settle : undefined
    const client = new KilledClient({
      place,
      merchant,
      network: wire.network,
      settle,
      chance: seededChance(seed),
      watched: 'authenticating' in wire ? wire.authenticating?.method : undefined,
    })
    const problems: string[] = []
    for (const moment of MOMENTS) {
      for (let kill = 0; kill < kills; kill++) {
        const operation = OPERATIONS[kill % OPERATIONS.length] ?? 'sale'
        problems.push(...(await client.die(moment, operation)))
        if (peer) problems.push(...(await client.die(moment, operation, peer)))
      }
      tell?.(`${kind}: ${client.kills} kills, ${moment} the last, ${problems.length} problems`)
    }
    problems.push(...(await client.finish()))
    const sent = wire.network.takeRequests().map((request) => {
      const { type, reference } = wire.sent(request)
      return `${type} ${reference}`
    })
    const twice = sent.filter((each, index) => !each.endsWith('undefined') && sent.indexOf(each) !== index)
    problems.push(...twice.map((each) => `${each} was sent twice`))
    return {
      kills: client.kills,
      payments: client.payments,
      problems: [...problems, ...(await judged(place, wire.taken, peer))],
    }
  } finally {
    await wire.close()
  }
}

/** Milliseconds after which every rail's horizon is over, and the time that payers have to authenticate. */
const LATER = 40 * 60_000

/** Lets the horizon pass, reconciles all pending operations, and compares the books. */
async function judged(
  place: Place,
  taken: () => Promise<number>,
  peer: PeerProcess | undefined,
): Promise<string[]> {
  const clock = { now: () => Date.now() + LATER }
  return await asOperator(
    place,
    async (ask, app) => {
      for (let times = 0; times < 3; times++) await (await app.environment('test')).reconcile(0)
      const transactions = await allTransactions(ask)
      const orders = transactions
        .filter(({ type, status }) => type === 'payment' && status !== 'declined')
        .map(({ order_number: order }) => String(order))
      const twice = orders.filter((order, index) => orders.indexOf(order) !== index)
      return [
        ...twice.map((order) => `${order} was taken twice`),
        ...(await compareBooks(ask, await taken())),
        ...((await peer?.differences(transactions)) ?? []),
      ]
    },
    { clock },
  )
}

interface Asked {
  readonly method: string
  readonly path: string
  readonly body: JsonObject
  /** Idempotency key of the request. */
  readonly key: string
}

interface ClientOptions {
  readonly place: Place
  readonly merchant: Merchant
  readonly network: FaultyNetwork
  /** Settles the payments of a rail that refunds only settled ones; undefined for other rails. */
  readonly settle: (() => Promise<void>) | undefined
  readonly chance: Chance
  /** A method whose payer has to authenticate, at rails that have that. */
  readonly watched: JsonObject | undefined
}

/** A client whose server is killed during requests. */
class KilledClient {
  payments = 0
  kills = 0
  private server: Server | undefined
  private readonly unanswered: Asked[] = []

  constructor(private readonly on: ClientOptions) {}

  /** Kills the server or its peer at a moment of an operation. An unanswered request is stored for `finish`. */
  async die(moment: Moment, operation: (typeof OPERATIONS)[number], peer?: PeerProcess): Promise<string[]> {
    const server = await this.serving()
    const dying = peer ?? server
    this.kills++
    const asked = await this.prepare(operation)
    const killed = new Promise<void>((resolve) => {
      this.on.network.onStep = (step) => {
        if (moment === 'asked' || STEPS[moment] !== step || dying.isKilled) return undefined
        dying.kill()
        resolve()
        return moment === 'lost' || moment === 'done' ? 'drop' : undefined
      }
    })
    const answering = this.ask(asked).then(
      () => true,
      () => false,
    )
    const timer =
      moment === 'asked' && setTimeout(() => dying.kill(), this.on.chance.integer(0, peer ? 40 : 9))
    if (!timer) await Promise.race([killed, answering])
    const isAnswered = await answering
    dying.kill()
    this.on.network.onStep = () => undefined
    if (!isAnswered) this.unanswered.push(asked)
    const complaint = (peer ? await peer.revive() : await this.ended(server)).replace(LOOPBACK, '')
    return complaint === '' ? [] : [`The server complained: ${complaint}`]
  }

  /** Repeats all unanswered requests, and stops the server. */
  async finish(): Promise<string[]> {
    await this.serving()
    const problems: string[] = []
    for (const asked of this.unanswered) {
      const { status, body } = await this.ask(asked)
      if (![200, 400, 409].includes(status)) problems.push(`${asked.key}: ${status} ${JSON.stringify(body)}`)
    }
    const code = await this.server?.stop()
    return code === 0 ? problems : [...problems, `The last server ended with ${code}`]
  }

  private async ended(server: Server): Promise<string> {
    this.server = undefined
    return await server.ended
  }

  private async serving(): Promise<Server> {
    const variables = { PAYCTL_GATEWAY_LOOPBACK: '1' }
    this.server ??= await startServer(this.on.place, ['--log-level', 'silent'], '0', [], variables)
    return this.server
  }

  /** The request during which the process is killed; its payment is taken before. */
  private async prepare(operation: (typeof OPERATIONS)[number]): Promise<Asked> {
    if (operation === 'sale') return this.payment('processed')
    if (operation === 'watched_sale') return this.payment('processed', this.on.watched)
    const isCapture = operation === 'capture' || operation === 'capture_part'
    const { body } = await this.ask(this.payment(isCapture ? 'authorized' : 'processed'))
    const id = idOf(body)
    const key = `${operation} ${id}`
    if (operation === 'refund') {
      if (this.on.settle) {
        await this.on.settle()
        // Through this request, the service finds out that the payment is settled.
        await this.ask({
          method: 'PUT',
          path: `/transactions/${id}`,
          body: { status: 'voided' },
          key: `settled ${id}`,
        })
      }
      const refund = { type: 'refund', amount: 1, ledger: [{ assoc_transaction_id: id }] }
      return { method: 'POST', path: '/transactions', body: refund, key }
    }
    // Rails that capture no part refuse it.
    if (operation === 'capture_part')
      return { method: 'POST', path: `/transactions/${id}/capture`, body: { amount: 1 }, key }
    const status = operation === 'capture' ? 'processed' : 'voided'
    return { method: 'PUT', path: `/transactions/${id}`, body: { status }, key }
  }

  private payment(status: string, method: JsonObject = card()): Asked {
    const key = `payment ${++this.payments}`
    const body = {
      type: 'payment',
      status,
      amount: 10 + this.payments / 100,
      order_number: key,
      processing_id: this.on.merchant.processingId,
      payment_method: method,
    }
    return { method: 'POST', path: '/transactions', body, key }
  }

  private async ask({ method, path, body, key }: Asked) {
    const { address } = await this.serving()
    const response = await fetch(address + path, {
      method,
      headers: {
        authorization: `Bearer ${this.on.merchant.secretKey}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify(body),
    })
    return { status: response.status, body: objectOf(JSON.parse(await response.text())) }
  }
}
