import { createHmac } from 'node:crypto'
import { recordNotice } from '../../../src/domain/reconciliation/record-notice.js'
import { owner } from '../../../src/engine/core/request/principal.js'
import { remoteSimulator } from '../../../src/gateways/simulator/remote-simulator.js'
import { type Json, type JsonObject, parsedJson } from '../../../src/schema/json.js'
import { parseMoney } from '../../../src/schema/money.js'
import type { Method } from '../../../src/schema/resource.js'
import { isTree } from '../../../src/schema/types.js'
import { idOf, valuesOf } from '../../support/core.js'
import { card, processingAccount } from '../../support/examples.js'
import { httpService } from '../../support/http.js'
import { ASKED, askingGateway } from './asking-gateway.js'
import { FaultyNetwork, type RailRequest } from './faulty-network.js'
import { TEST_DECLINES } from './in-process.js'
import type { PeerPlace, Posted, Sent, Time, WireServer } from './opened-rail.js'
import { entryOf } from './stripe-wire.js'

const DAY = 86_400_000
const SETTLES_AFTER = 3 * DAY
const SIGNING_KEY = Buffer.alloc(24, 7).toString('base64')

/** Opens another payctl behind a network with faults. Its own gateway is a remote simulator, which can answer late. */
export async function openPeerWire(time: Time, place: PeerPlace): Promise<WireServer> {
  const gateway = remoteSimulator()
  const asking = askingGateway(gateway)
  const home = await place()
  const service = await httpService(
    { dialect: 'sqlite', ...home },
    // Webhooks are delivered only when a test starts the delivery, and only to this machine.
    { gateway: asking.gateway, clock: { now: () => time.now }, delivery: { loopback: 'test' } },
  )
  const { core } = await service.app.environment('test')
  const ask = async (method: Method, path: string, body?: Json, query: [string, string][] = []) => {
    const answer = await core.handle({ method, path, body, query, principal: owner })
    if (answer.status !== 200) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const merchant = idOf(await ask('POST', '/processing_accounts', processingAccount()))
  const network = await FaultyNetwork.open({
    upstream: service.address,
    moves: movesAtPeer,
  })
  const all = async (): Promise<readonly JsonObject[]> => {
    const listed: JsonObject[] = []
    for (;;) {
      const last = listed.at(-1)
      const values = valuesOf(
        await ask('GET', '/transactions', undefined, [
          ['limit', '1000'],
          ['order_by', 'id'],
          ...(last ? [['after', idOf(last)] satisfies [string, string]] : []),
        ]),
      )
      listed.push(...values)
      if (values.length < 1000) return listed
    }
  }
  const notice = (id: string): Posted => signed({ id: `evt_${id}`, object: 'transaction', triggeredOn: id })
  return {
    entry: entryOf('peer'),
    network,
    configuration: {
      kind: 'peer',
      base_url: network.address,
      merchant,
      credentials: { secret_key: await service.key({}), notification_secret: `whsec_${SIGNING_KEY}` },
    },
    sent: sentToPeer,
    async taken() {
      const sums = (await all()).map(({ type, status, amount }) => {
        const minor = parseMoney(String(amount)) ?? 0
        if (status !== 'processed' && status !== 'rejected') return 0
        if (type === 'payment') return minor
        return type === 'refund' || type === 'credit' ? -minor : 0
      })
      return sums.reduce((sum, each) => sum + each, 0)
    },
    namesAmounts: true,
    authenticating: {
      method: card(ASKED),
      async answer(id, passes) {
        await asking.answer(id, passes)
        await (await service.app.environment('test')).reconcile(0)
      },
      declinesRefused: true,
      isOver: async (id) => (await ask('GET', `/transactions/${id}`)).status === 'declined',
    },
    declines: TEST_DECLINES,
    async pending(isGood) {
      gateway.script(isGood ? 'times_out_after' : 'fails_before')
      return card()
    },
    decide: async () => void (await (await service.app.environment('test')).reconcile(0)),
    expire: async () => void (await ask('POST', '/admin/clock', { by: '8d' })),
    settle: async () => void (await ask('POST', '/admin/clock', { by: `${SETTLES_AFTER / DAY}d` })),
    operations: async () => (await all()).map(idOf),
    async foreign(amount) {
      const payment_method = card()
      const body = { type: 'payment', amount: amount / 100, processing_id: merchant, payment_method }
      return idOf(await ask('POST', '/transactions', body))
    },
    async refundByHand(id, amount) {
      const ledger = [{ assoc_transaction_id: id }]
      return idOf(await ask('POST', '/transactions', { type: 'refund', amount: amount / 100, ledger }))
    },
    notice,
    async notify() {
      await (await service.app.environment('test')).deliver(new AbortController().signal)
    },
    async takeBack(id) {
      const { recorded_id: chargeback } = await ask('POST', '/admin/simulate', {
        event: 'chargeback',
        transaction_id: id,
      })
      // An amount beyond the payment is the peer's own loss and has no ledger entry.
      const [entry] = valuesOf(await ask('GET', `/transactions/${chargeback}/ledger`))
      return { amount: parseMoney(String(entry?.amount)) ?? 0, posted: notice(id) }
    },
    async inquire(id) {
      const { dispute_id: triggeredOn } = await ask('POST', '/admin/simulate', {
        event: 'inquiry',
        transaction_id: id,
      })
      return signed({ id: `evt_inquiry_${id}`, object: 'dispute', triggeredOn: String(triggeredOn) })
    },
    settlesAfter: SETTLES_AFTER,
    async failRefund(id) {
      const { amount } = await ask('GET', `/transactions/${id}`)
      const outcome = { result: 'declined', statusCode: 'declined' } as const
      const failed = {
        kind: 'operation',
        reference: id,
        type: 'refund',
        amount: parseMoney(String(amount)) ?? 0,
      } as const
      await core.write((work) => recordNotice(work, gateway, { ...failed, outcome }))
      return signed({ id: `evt_failed_${id}`, object: 'transaction', triggeredOn: id })
    },
    async lose(id) {
      const { dispute_id: lost } = await ask('POST', '/admin/simulate', {
        event: 'dispute_lost',
        transaction_id: id,
      })
      return signed({ id: `evt_lost_${id}`, object: 'dispute', triggeredOn: String(lost) })
    },
    token: async () => idOf(await ask('POST', '/payment_methods', card())),
    async disputes() {
      const query: [string, string][] = [
        ['limit', '1000'],
        ['order_by', 'id'],
      ]
      return valuesOf(await ask('GET', '/disputes', undefined, query)).map((each) => ({
        // A dispute that has taken money is identified by its chargeback.
        id: typeof each.chargeback_id === 'string' ? each.chargeback_id : idOf(each),
        stage: String(each.stage),
        isContested: each.answer === 'contest',
      }))
    },
    async paidOut() {
      const moved = (await all()).filter(({ type }) => type === 'deposit' || type === 'reversal')
      return moved.reduce((sum, { type, amount }) => {
        const minor = parseMoney(String(amount)) ?? 0
        return type === 'deposit' ? sum + minor : sum - minor
      }, 0)
    },
    async close() {
      await network.close()
      await service.stop()
    },
  }
}

/** A webhook's request as peers send it, signed according to Standard Webhooks. */
function signed({ id, object, triggeredOn }: { id: string; object: string; triggeredOn: string }): Posted {
  const body = Buffer.from(
    JSON.stringify({ id, object: 'event', trigger: 'payment', triggered_on: { id: triggeredOn, object } }),
  )
  const timestamp = '1900000000'
  const digest = createHmac('sha256', Buffer.from(SIGNING_KEY, 'base64')).update(`${id}.${timestamp}.`)
  return {
    headers: {
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${digest.update(body).digest('base64')}`,
    },
    body,
  }
}

/** Whether a request to a peer counts as one that moves money: every write, except the creation of a client key. */
export function movesAtPeer({ method, path }: RailRequest): boolean {
  return method !== 'GET' && path !== '/access_tokens'
}

/** Parses a request to a peer. */
export function sentToPeer({ method, path, headers, body }: RailRequest): Sent {
  const parsed = parsedJson(body)
  const { type, status, amount, attrs, processing_id: merchant } = isTree(parsed) ? parsed : {}
  const [, verb] = /^\/disputes\/\w+\/(accept|contest)$/.exec(path) ?? []
  if (verb === 'accept' || verb === 'contest') return { type: verb }
  if (path.endsWith('/capture'))
    return {
      type: 'capture',
      amount: parseMoney(String(amount)),
      reference: String(headers['idempotency-key']),
    }
  if (method === 'PUT') {
    const isCapture = status === 'processed'
    return { type: isCapture ? 'capture' : 'void', reference: String(headers['idempotency-key']) }
  }
  const taken = status === 'authorized' ? 'authorize' : 'sale'
  const given = type === 'credit' ? 'credit' : 'refund'
  return {
    type: type === 'payment' ? taken : given,
    amount: parseMoney(String(amount)),
    reference: isTree(attrs) && typeof attrs.reference === 'string' ? attrs.reference : undefined,
    ...(typeof merchant === 'string' && { merchant }),
  }
}
