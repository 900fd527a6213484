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

/** Milliseconds after which every rail's horizon is over, and the time that payers have to authenticate. */
const LATER = 40 * 60_000

/** Lets the horizon pass, reconciles all pending operations, and compares the books. */
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

  /** Kills the server or its peer at a moment of an operation. An unanswered request is stored for `finish`. */
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

  /** Repeats all unanswered requests, and stops the server. */
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
    // Pages are read by nobody here.
    return { status: response.status, body: text.startsWith('{') ? objectOf(JSON.parse(text)) : {} }
  }
}
