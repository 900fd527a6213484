import { expect } from 'chai'
import { type ConnectedRail, connectedRail, payment } from './connected-rail.js'

const DAY = 86_400_000

describe('the lists of Authorize.Net', () => {
  let connected: ConnectedRail

  beforeEach(async () => {
    connected = await connectedRail()
  })
  afterEach(() => connected.stop())

  const namesSince = (count: number) => connected.server.requests.slice(count).map(({ name }) => name)

  it('of unsettled transactions are searched to the end before batches', async () => {
    const { rail, server, credentials } = connected
    for (let count = 0; count < 2_100; count++) server.books.keep()
    const sale = payment()
    await rail.perform(sale, credentials)
    const before = server.requests.length
    expect(await rail.find(sale, { since: server.time }, credentials)).to.include({ result: 'approved' })
    expect(namesSince(before)).to.deep.equal([
      ...Array.from({ length: 3 }, () => 'getUnsettledTransactionListRequest'),
      'getTransactionDetailsRequest',
    ])
  })

  it('of batches are searched 31 days per request before a payment counts as never seen', async () => {
    const { rail, server, credentials } = connected
    const since = server.time
    const sale = payment()
    await rail.perform(sale, credentials)
    server.time += 40 * DAY
    server.books.settle()
    server.time += 30 * DAY
    const before = server.requests.length
    expect(await rail.find(sale, { since }, credentials)).to.include({ result: 'approved', amount: 2999 })
    expect(namesSince(before)).to.deep.equal([
      'getUnsettledTransactionListRequest',
      ...Array.from({ length: 3 }, () => 'getSettledBatchListRequest'),
      'getTransactionListRequest',
      'getTransactionDetailsRequest',
    ])
    expect(await rail.find(payment(), { since }, credentials)).to.equal('never_seen')
  })

  it('are read once for many payments, and not at all for a payment with a known id', async () => {
    const { rail, server, credentials } = connected
    const since = server.time
    const settled = payment()
    const waiting = payment()
    const missing = payment()
    await rail.perform(settled, credentials)
    server.books.settle()
    await rail.perform(waiting, credentials)
    const [one, other] = [...server.books.transactions.keys()]
    const before = server.requests.length
    const sent = [settled, waiting, missing].map((operation) => ({ operation, since }))
    expect(await rail.locate?.(sent, credentials)).to.deep.equal(
      new Map<string, unknown>([
        [waiting.reference, { gatewayId: other }],
        [settled.reference, { gatewayId: one }],
        [missing.reference, 'never_seen'],
      ]),
    )
    const found = await rail.find(settled, { since, gatewayId: one ?? null }, credentials)
    expect(found).to.include({ result: 'approved', gatewayId: one })
    expect(namesSince(before)).to.deep.equal([
      'getUnsettledTransactionListRequest',
      'getSettledBatchListRequest',
      'getTransactionListRequest',
      'getTransactionDetailsRequest',
    ])
  })

  it('yield all requested operations since a time, unsettled or settled', async () => {
    const { rail, server, credentials } = connected
    const since = server.time
    const first = payment()
    const second = payment()
    await rail.perform(first, credentials)
    server.time += DAY
    server.books.settle()
    await rail.perform(second, credentials)
    const listed = []
    for await (const found of rail.operations?.(since, credentials) ?? []) listed.push(found)
    expect(
      listed.map(({ type, amount, reference, state }) => [type, amount, reference, state]),
    ).to.deep.equal([
      ['sale', 2999, second.reference, 'captured'],
      ['sale', 2999, first.reference, 'captured'],
    ])
  })

  it('do not prove that a payment was never seen if an entry disappears while they are read', async () => {
    const { rail, server, credentials } = connected
    for (let count = 0; count < 1_100; count++) server.books.keep()
    const leaving = [...server.books.transactions.values()].slice(0, 500)
    const changing = connected.watched(() => {
      for (const each of leaving) each.batch = 'settled meanwhile'
    })
    expect(await changing.find(payment(), { since: server.time }, credentials)).to.equal('cannot_say')
    expect(await rail.find(payment(), { since: server.time }, credentials)).to.equal('never_seen')
  })

  it('yield the approved payment rather than a decline with the same invoice number', async () => {
    const { rail, server, credentials } = connected
    const sale = payment()
    server.books.reasons.set('0015', '2')
    await rail.perform(sale, credentials)
    server.books.keep({ invoice: sale.refNumber, amount: 2999 })
    expect(await rail.find(sale, { since: server.time }, credentials)).to.include({ result: 'approved' })
  })

  it('yield settlements with a line for each transaction that moved money, always with the same id', async () => {
    const { rail, server, credentials } = connected
    expect(await rail.settlements?.(null, credentials)).to.deep.equal({ batches: [], cursor: null })
    const sale = payment()
    const voided = payment()
    const declined = payment()
    await rail.perform(sale, credentials)
    await rail.perform(voided, credentials)
    const [first, second] = [...server.books.transactions.values()]
    if (first && second) second.status = 'voided'
    server.books.reasons.set('0015', '2')
    await rail.perform(declined, credentials)
    server.books.keep({ status: 'refundPendingSettlement', settle: 999 })
    server.books.keep({ status: 'returnedItem', settle: 500 })
    const id = server.books.settle()
    const told = await rail.settlements?.(null, credentials)
    expect(told?.batches.map(({ lines, ...batch }) => batch)).to.deep.equal([
      {
        id,
        settledAt: '2026-03-02 12:00:00',
        currency: 'USD',
        gross: 2999 - 999 - 500,
        fees: null,
        net: null,
        merchant: undefined,
      },
    ])
    expect(told?.batches[0]?.lines.map(({ kind, amount, fee }) => [kind, amount, fee])).to.deep.equal([
      ['payment', 2999, null],
      ['refund', -999, null],
      ['return', -500, null],
    ])
    server.time += 2 * DAY
    server.books.keep()
    const next = server.books.settle()
    const later = await rail.settlements?.(told?.cursor ?? null, credentials)
    expect(later?.batches.map((batch) => batch.id)).to.deep.equal([id, next])
    const latest = await rail.settlements?.(later?.cursor ?? null, credentials)
    expect(latest?.batches.map((batch) => batch.id)).to.deep.equal([next])
  })
})
