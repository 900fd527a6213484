import type { JsonObject } from '../../src/schema/json.js'
import { isTree } from '../../src/schema/types.js'
import { FaultyNetwork } from '../../test/gateways/contract/faulty-network.js'
import type { WireServer } from '../../test/gateways/contract/opened-rail.js'
import { movesAtPeer, sentToPeer } from '../../test/gateways/contract/peer-wire.js'
import { idOf } from '../../test/support/core.js'
import type { Place } from '../../test/support/databases.js'
import { processingAccount } from '../../test/support/examples.js'
import { type Server, startServer } from '../../test/support/server-process.js'
import { takenBy } from './compared-books.js'
import { allTransactions, asOperator } from './connected-place.js'

/** A `payctl serve` that is the gateway of another one. It can be killed, and restarts at the same address. */
export class PeerProcess implements Pick<WireServer, 'configuration' | 'network' | 'sent' | 'taken'> {
  readonly sent = sentToPeer

  private constructor(
    private readonly place: Place,
    private server: Server,
    readonly network: FaultyNetwork,
    readonly configuration: WireServer['configuration'],
  ) {}

  static async open(place: Place): Promise<PeerProcess> {
    const [merchant, secretKey] = await asOperator(place, async (ask) => [
      idOf(await ask('POST', '/processing_accounts', processingAccount())),
      String((await ask('POST', '/admin/keys', {})).secret_key),
    ])
    const server = await serve(place, '0')
    const network = await FaultyNetwork.open({
      upstream: server.address,
      moves: movesAtPeer,
    })
    return new PeerProcess(place, server, network, {
      kind: 'peer',
      base_url: network.address,
      ...(merchant !== undefined && { merchant }),
      credentials: { secret_key: secretKey ?? '' },
    })
  }

  get isKilled(): boolean {
    return this.server.isKilled
  }

  kill(): void {
    this.server.kill()
  }

  /** Restarts the peer; returns its output on stderr. */
  async revive(): Promise<string> {
    this.kill()
    const complaint = await this.server.ended
    this.server = await serve(this.place, new URL(this.server.address).port)
    return complaint
  }

  taken = async (): Promise<number> =>
    await asOperator(this.place, async (ask) => takenBy(await allTransactions(ask)))

  /** Differences between our transactions and the peer's, which are matched by our id. */
  async differences(ours: readonly JsonObject[]): Promise<string[]> {
    return await asOperator(this.place, async (ask) => {
      const here = new Set(ours.filter(isMoney).map(({ id, ...each }) => lineOf(String(id), each)))
      const theirs = (await allTransactions(ask)).filter(isMoney)
      const there = theirs.map(({ attrs, ...each }) => lineOf(referenceIn(attrs), each))
      const { found } = await ask('GET', '/admin/verify')
      return [
        ...[...here].filter((line) => !there.includes(line)).map((line) => `The peer does not have ${line}`),
        ...there.filter((line) => !here.has(line)).map((line) => `Only the peer has ${line}`),
        ...there.filter((line, index) => there.indexOf(line) !== index).map((line) => `It has ${line} twice`),
        ...(found === 0 ? [] : [`verify of the peer found ${found}`]),
      ]
    })
  }

  async close(): Promise<void> {
    await this.network.close()
    await this.server.stop()
  }
}

async function serve(place: Place, port: string): Promise<Server> {
  return await startServer(place, ['--log-level', 'silent'], port)
}

function isMoney({ status }: JsonObject): boolean {
  return status !== 'declined'
}

function referenceIn(attrs: unknown): string {
  return isTree(attrs) ? String(attrs.reference) : 'what nobody asked for'
}

function lineOf(reference: string, { type, status, amount }: JsonObject): string {
  return `${reference}: ${type} ${status} ${amount}`
}
