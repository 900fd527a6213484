import { expect } from 'chai'
import { BadSignature } from '../../../src/gateways/bad-signature.js'
import { rejection } from '../../support/rejection.js'
import { type ConnectedRail, connectedRail, payment } from './connected-rail.js'

const CAPTURED = 'net.authorize.payment.authcapture.created'

describe('notifications of Authorize.Net', () => {
  let connected: ConnectedRail

  beforeEach(async () => {
    connected = await connectedRail()
  })
  afterEach(() => connected.stop())

  const receive = (headers: Record<string, string>, body: Buffer, key?: string) => {
    const { rail, credentials } = connected
    const secrets = { ...credentials.secrets, ...(key !== undefined && { signature_key: key }) }
    return rail.receive?.(headers, body, { ...credentials, secrets })
  }

  for (const key of ['hex', 'utf8'] as const) {
    it(`are accepted if they are signed with the key used as ${key}`, () => {
      const { headers, body } = connected.server.notification(CAPTURED, '60000000001', key)
      expect(receive(headers, body)).to.deep.equal([
        {
          id: `notice-${CAPTURED}-60000000001`,
          type: CAPTURED,
          about: 'operation',
          gatewayId: '60000000001',
          raw: body.toString(),
        },
      ])
    })
  }

  it('are refused if signature, body or key do not fit', () => {
    const { headers, body } = connected.server.notification(CAPTURED, '60000000001')
    const other = Buffer.from(body.toString().replace('60000000001', '60000000002'))
    expect(() => receive(headers, other)).to.throw(BadSignature)
    expect(() => receive({}, body)).to.throw(BadSignature)
    expect(() => receive({ 'x-anet-signature': 'sha512=' }, body)).to.throw(BadSignature)
    expect(() => receive(headers, body, 'B1'.repeat(64))).to.throw(BadSignature)
    expect(() => receive(headers, body, '')).to.throw(BadSignature)
    expect(() => receive(headers, body, 'no hexadecimal digits')).to.throw(BadSignature)
  })

  it('about other events are accepted without an effect', () => {
    const { headers, body } = connected.server.notification('net.authorize.customer.created', '1')
    expect(receive(headers, body)?.[0]).to.include({ about: 'nothing', gatewayId: undefined })
  })

  it('are left unhandled if the transaction has an unknown state or type', async () => {
    const { rail, server, credentials } = connected
    const read = async (more: Parameters<typeof server.books.keep>[0]) => {
      const { id: gatewayId } = server.books.keep({ parent: '60000000001', ...more })
      return await rail.read?.(
        { id: 'n', type: CAPTURED, about: 'operation', gatewayId, raw: '' },
        credentials,
      )
    }
    for (const odd of [
      { type: 'refundTransaction', status: 'refundedSomehow' },
      { type: 'refundedSomehow', status: 'refundSettledSuccessfully' },
    ])
      expect(await rejection(read(odd))).to.include({ name: 'UnknownOutcome' })
    expect(await read({ type: 'captureOnlyTransaction' })).to.deep.equal([])
  })

  it('about returns are found in the batches of their payments, because no webhook reports them', async () => {
    const { rail, server, credentials } = connected
    const method = { type: 'bank_account', number: '1234567890', routing: '110000000' } as const
    await rail.perform(payment(), credentials)
    server.books.settle()
    const sale = payment({ method })
    await rail.perform(sale, credentials)
    await rail.perform(payment({ method }), credentials)
    server.books.settle()
    server.time += 3 * 86_400_000
    const first = await rail.notifications?.(null, credentials)
    expect(first?.notifications).to.deep.equal([])
    const lists = server.requests.filter(({ name }) => name === 'getTransactionListRequest')
    expect(lists.map(({ fields }) => fields.batchId)).to.deep.equal(['9001'])
    const [, booked] = server.books.transactions.values()
    booked?.returned.push({ id: '77', dateUTC: '2026-03-04T00:00:00Z', code: 'R01' })
    const asked = server.requests.length
    expect(await rail.notifications?.(first?.cursor ?? null, credentials)).to.deep.equal(first)
    expect(server.requests).to.have.length(asked)
    server.time += 86_400_000
    const { notifications = [] } = (await rail.notifications?.(first?.cursor ?? null, credentials)) ?? {}
    const [told, ...more] = notifications
    expect(more).to.deep.equal([])
    expect(told).to.include({ id: `returned ${booked?.id}`, about: 'operation', gatewayId: booked?.id })
    if (!told) throw new Error('No notification')
    expect((await rail.read?.(told, credentials))?.[1]).to.include({
      kind: 'return',
      dispute: '77',
      payment: sale.reference,
      amount: 2999,
      statusCode: 'R01',
    })
  })

  it('are not trusted: the transaction is read from the gateway, with our reference', async () => {
    const { rail, server, credentials } = connected
    const sale = payment()
    await rail.perform(sale, credentials)
    const { headers, body } = server.notification(CAPTURED, '60000000001')
    const [notification] = receive(headers, body) ?? []
    if (!notification) throw new Error('No notification')
    const [notice] = (await rail.read?.(notification, credentials)) ?? []
    expect(notice).to.include({ kind: 'operation', reference: sale.reference, type: 'sale', amount: 2999 })
    const [booked] = server.books.transactions.values()
    booked?.returned.push({ id: '77', dateUTC: '2026-03-04T00:00:00Z', code: 'R02' })
    expect((await rail.read?.(notification, credentials))?.[1]).to.deep.equal({
      kind: 'return',
      dispute: '77',
      payment: sale.reference,
      hasReference: true,
      amount: 2999,
      statusCode: 'R02',
    })
  })
})
