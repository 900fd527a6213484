import { expect } from 'chai'
import { rails } from '../../../src/gateways/registry/rails.js'
import { openRailClient, type RailClient } from '../../../src/platform/network/rail-client.js'
import { rejection } from '../../support/rejection.js'
import { CHECKED } from '../contract/checked-gateway.js'
import { NOW, StripeCase } from './stripe-case.js'

const MINUTE = 60_000

describe('the rail to Stripe, before live payments,', () => {
  const stripe = new StripeCase()
  let http: RailClient
  beforeEach(async () => {
    await stripe.open()
    http = openRailClient({ loopback: true })
  })
  afterEach(async () => {
    await http.close()
    await stripe.close()
  })

  const checks = async () => (await stripe.rail.check?.(CHECKED, stripe.credentials)) ?? []
  const stateOf = async (name: string) => (await checks()).find((check) => check.name === name)?.state
  /** The rail with its clock at a time, in milliseconds after `NOW`. */
  const at = async (milliseconds: number) => {
    const load = await rails['stripe']?.load()
    if (!load) throw new Error('There is no rail to Stripe')
    return load({ http, now: () => NOW + milliseconds })
  }
  const poll = async (milliseconds: number, cursor: string | null) => {
    const found = await (await at(milliseconds)).notifications?.(cursor, stripe.credentials)
    if (!found) throw new Error('The rail is not polled')
    return { ...found, types: found.notifications.map(({ type }) => type) }
  }

  it('checks the account, its capabilities, typed numbers, queries and the endpoint', async () => {
    expect((await checks()).map(({ name, state }) => `${name} ${state}`)).to.deep.equal([
      'account ok',
      'charges ok',
      'cards ok',
      'bank accounts ok',
      'card numbers ok',
      'card fields unavailable',
      'queries ok',
      'endpoint unavailable',
    ])
    expect(stripe.server.books.balance).to.equal(0)
  })

  it('reports a failure if payers type card numbers into our pages and the account accepts none', async () => {
    stripe.server.books.takesNumbers = false
    expect(await stateOf('card numbers')).to.equal('unavailable')
    const typing = await stripe.rail.check?.({ ...CHECKED, takesNumbers: true }, stripe.credentials)
    expect(typing?.find(({ name }) => name === 'card numbers')).to.include({ state: 'failed' })
    const secrets = { ...stripe.credentials.secrets, publishable_key: 'pk_test_1' }
    const found = await stripe.rail.check?.(CHECKED, { ...stripe.credentials, secrets })
    expect(found?.find(({ name }) => name === 'card fields')).to.include({ state: 'ok' })
  })

  it('reports an endpoint that is disabled or lacks events', async () => {
    await stripe.rail.endpoints?.create(CHECKED, stripe.credentials)
    expect(await stateOf('endpoint')).to.equal('ok')
    const [endpoint] = stripe.server.endpoints.list
    if (!endpoint) throw new Error('There is no endpoint')
    endpoint.status = 'disabled'
    expect(await stateOf('endpoint')).to.equal('failed')
    stripe.server.endpoints.list.splice(0, 1, {
      ...endpoint,
      status: 'enabled',
      enabled_events: ['refund.updated'],
    })
    expect(await stateOf('endpoint')).to.equal('failed')
  })

  it('creates a second endpoint for events of connected accounts, and verifies notifications with both secrets', async () => {
    const made = await stripe.rail.endpoints?.create({ ...CHECKED, hasMerchants: true }, stripe.credentials)
    expect(stripe.server.endpoints.list.map(({ application }) => application)).to.deep.equal([null, 'ca_1'])
    const secret = `${made?.secrets['notification_secret']} ${stripe.credentials.secrets['notification_secret']}`
    const credentials = { ...stripe.credentials, secrets: { notification_secret: secret } }
    const { headers, body } = stripe.server.notification('refund.updated', { id: 're_1', object: 'refund' })
    expect(stripe.rail.receive?.(headers, body, credentials)).to.have.lengthOf(1)
    const [forged] = [Buffer.from(body.toString('utf8').replace('re_1', 're_2'))]
    expect(() => stripe.rail.receive?.(headers, forged, credentials)).to.throw()
  })

  it('polls events every ten minutes, and reads only those that may be new', async () => {
    stripe.server.notification('refund.updated', { id: 're_0', object: 'refund' }, { at: NOW - 60 * MINUTE })
    const first = await poll(0, null)
    expect(first.types).to.deep.equal([])
    stripe.server.notification('refund.failed', { id: 're_1', object: 'refund' }, { at: NOW + MINUTE })
    stripe.server.notification('customer.created', { id: 'cus_1' }, { at: NOW + MINUTE })
    expect((await poll(9 * MINUTE, first.cursor)).types).to.deep.equal([])
    expect(stripe.calls().filter((call) => call === 'GET events')).to.have.lengthOf(1)
    const second = await poll(10 * MINUTE, first.cursor)
    expect(second.types).to.deep.equal(['refund.failed'])
    expect(second.notifications[0]).to.include({ about: 'operation', gatewayId: 're_1' })
    const third = await poll(40 * MINUTE, second.cursor)
    expect((await poll(60 * MINUTE, third.cursor)).types).to.deep.equal([])
  })

  it('reads many events after a long pause in parts, and loses none', async () => {
    const first = await poll(0, null)
    for (let count = 0; count < 2_500; count++)
      stripe.server.notification(
        'refund.updated',
        { id: `re_${count}`, object: 'refund' },
        { at: NOW + count * MINUTE },
      )
    const seen = new Set<string>()
    let { cursor } = first
    for (let turn = 0; turn < 10; turn++) {
      const next = await poll(3_000 * MINUTE, cursor)
      expect(next.notifications.length).to.be.at.most(2_000)
      for (const { gatewayId } of next.notifications) seen.add(String(gatewayId))
      cursor = next.cursor
    }
    expect(seen.size).to.equal(2_500)
  })

  it('does not advance the cursor if the key may not read events', async () => {
    const wrong = { ...stripe.credentials, secrets: { secret_key: 'sk_test_no' } }
    const polled = (await at(0)).notifications?.(null, wrong)
    expect(await rejection(Promise.resolve(polled))).to.include({ name: 'RefusedReading' })
  })
})
