import type { Step } from '../../test/gateways/contract/faulty-network.js'
import { type RAILS, realTime, wireServers } from '../../test/gateways/contract/wire-servers.js'
import { type Chance, seededChance } from '../../test/support/chance.js'
import { objectOf } from '../../test/support/core.js'
import type { Place } from '../../test/support/databases.js'
import { type Server, startServer } from '../../test/support/server-process.js'
import { findOut, settleAll } from './at-rest.js'
import { compareBooks, compareDisputes, comparePayouts, undecidedMethods } from './compared-books.js'
import { allTransactions, asOperator, connectPlace, type Merchant } from './connected-place.js'
import {
  type Answered,
  type Asked,
  KilledOperations,
  type KilledRail,
  OPERATIONS,
  type Operation,
} from './killed-operations.js'
import { PeerProcess } from './peer-process.js'

/** Steps of an operation at which `serve` is killed. */
const MOMENTS = [
  /** The client has sent the request. The kill comes at a random moment, usually before the call to the rail. */
  'asked',
  /** The intent is committed and the call is sent. The rail does not receive it (`lost`), or does (`arrived`). */
  'lost',
  'arrived',
  /** The rail has executed the operation, and its answer is lost. */
  'done',
  /** The rail has answered. `serve` may or may not have recorded the answer. */
  'answered',
] as const
type Moment = (typeof MOMENTS)[number]

const STEPS: Readonly<Record<Exclude<Moment, 'asked'>, Step>> = {
  lost: 'arrived',
  arrived: 'arrived',
  done: 'done',
  answered: 'answered',
}

/** Warning that `serve` prints on stderr, because the rail is on this machine. */
const LOOPBACK = 'Warning: gateways on this machine (for tests)\n'

export interface KillOptions {
  readonly kind: (typeof RAILS)[number]
  /** An empty installation. `peerPlace` creates another one, for a peer. */
  readonly place: Place
  readonly peerPlace: () => Promise<Place>
  /** Number of kills of `serve` at each moment, and of the peer if `isPeerKilled` is set. */
  readonly kills: number
  /** Whether the rail is another `payctl serve`, which is killed too. */
  readonly isPeerKilled?: boolean
  readonly seed: number
  readonly tell?: (line: string) => void
}

export interface KillReport {
  readonly kills: number
  readonly payments: number
  /** Problems that were found, as text. */
  readonly problems: readonly string[]
}

/**
 * Kills `payctl serve` at every step of an operation, and repeats unanswered requests with the same idempotency keys.
 * Then compares the rail's books with ours: no payment is doubled or lost, and each has an outcome or an exception.
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
    const client = new KilledClient({ place, merchant, wire, chance: seededChance(seed) })
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
      payments: client.operations.payments,
      problems: [...problems, ...(await judged(place, wire, peer))],
    }
  } finally {
    await wire.close()
  }
}

/** Milliseconds that exceed the horizon of every rail, and the time that payers have to authenticate. */
const LATER = 40 * 60_000

/** Reconciles all pending operations at a later time, and compares the books. */
async function judged(place: Place, wire: KilledRail, peer: PeerProcess | undefined): Promise<string[]> {
  const clock = { now: () => Date.now() + LATER }
  return await asOperator(
    place,
    async (ask, app) => {
      await findOut(ask, app)
      const { settle, paidOut } = wire
      if (settle) await settleAll(ask, app, { settle })
      const transactions = await allTransactions(ask)
      const orders = transactions
        .filter(({ type, status }) => type === 'payment' && status !== 'declined')
        .map(({ order_number: order }) => String(order))
      const twice = orders.filter((order, index) => orders.indexOf(order) !== index)
      return [
        ...twice.map((order) => `${order} was taken twice`),
        ...(await compareBooks(ask, await wire.taken())),
        ...(settle ? await comparePayouts(ask, app, await paidOut?.()) : []),
        ...(await compareDisputes(ask, wire)),
        ...(await undecidedMethods(app)),
        ...((await peer?.differences(transactions)) ?? []),
      ]
    },
    { clock },
  )
}

interface ClientOptions {
  readonly place: Place
  readonly merchant: Merchant
  readonly wire: KilledRail
  readonly chance: Chance
}

/** A client whose server is killed during requests. */
class KilledClient {
  kills = 0
  readonly operations: KilledOperations
  private server: Server | undefined
  private readonly unanswered: Asked[] = []

  constructor(private readonly on: ClientOptions) {
    this.operations = new KilledOperations(on.wire, on.merchant, (asked) => this.ask(asked))
  }

  /**
   * Kills the server, or its peer, at a moment of an operation. Keeps an unanswered request for `finish`. Returns
   * complaints on stderr.
   */
  async die(moment: Moment, operation: Operation, peer?: PeerProcess): Promise<string[]> {
    const server = await this.serving()
    const dying = peer ?? server
    this.kills++
    const asked = await this.operations.prepare(operation)
    const killed = new Promise<void>((resolve) => {
      this.on.wire.network.onStep = (step) => {
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
    this.on.wire.network.onStep = () => undefined
    if (!isAnswered) this.unanswered.push(asked)
    const complaint = (peer ? await peer.revive() : await this.ended(server)).replace(LOOPBACK, '')
    return complaint === '' ? [] : [`The server complained: ${complaint}`]
  }

  /** Repeats all unanswered requests, then stops the server. Returns the problems. */
  async finish(): Promise<string[]> {
    await this.serving()
    const problems: string[] = []
    for (const asked of this.unanswered) {
      const { status, body } = await this.ask(asked)
      if (![200, 303, 400, 409].includes(status))
        problems.push(`${asked.method} ${asked.path}: ${status} ${JSON.stringify(body)}`)
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

  private async ask({ path, ...asked }: Asked): Promise<Answered> {
    const { address } = await this.serving()
    const response = await fetch(address + path, { ...asked, redirect: 'manual' })
    const text = await response.text()
    // HTML pages are not needed here.
    return { status: response.status, body: text.startsWith('{') ? objectOf(JSON.parse(text)) : {} }
  }
}
