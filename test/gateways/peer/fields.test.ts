import { expect } from 'chai'
import type { Credentials, GatewayOperation, GivenToken } from '../../../src/gateways/contract.js'
import { peerRail } from '../../../src/gateways/peer/peer-rail.js'
import { UnknownOutcome } from '../../../src/gateways/unknown-outcome.js'
import { openRailClient, type RailClient } from '../../../src/platform/network/rail-client.js'
import type { JsonObject } from '../../../src/schema/json.js'
import { idOf } from '../../support/core.js'
import { onSqlite } from '../../support/databases.js'
import { card, processingAccount } from '../../support/examples.js'
import { type HttpService, httpService } from '../../support/http.js'
import { rejection } from '../../support/rejection.js'
import { type ScriptedPeer, scriptedPeer } from './scripted-peer.js'

const TYPED = { type: 'card', card: { card_number: '4242424242424242', expiry: '12/39' } }
const TOO_MANY = [429, { object: 'error', error_type: 'TooManyRequests' }, { 'retry-after': '7' }] as const

describe('the card fields of a peer', () => {
  onSqlite((open) => {
    let http: RailClient
    let there: HttpService
    let key: string
    let merchant: string
    let credentials: Credentials
    let time = Date.now()
    let references = 0

    before(async () => {
      http = openRailClient({ loopback: true })
      there = await httpService(await open.migrated(), {}, { fieldsUrl: 'https://fields.example/pay' })
      key = await there.key({ manage: true })
      merchant = idOf((await there.ask(key, 'POST', '/processing_accounts', processingAccount())).body)
      await there.ask(key, 'PUT', `/processing_accounts/${merchant}`, { processing: { status: 'active' } })
      credentials = {
        environment: 'live',
        baseUrl: there.address,
        merchant,
        secrets: { secret_key: await there.key({}) },
      }
    })
    after(async () => {
      await http.close()
      await there.stop()
    })

    const rail = () => peerRail({ http, now: () => time })
    const fieldsOf = async (at = rail()) => {
      const fields = await at.fields?.(undefined, credentials)
      if (!fields) throw new Error('It has none')
      return fields
    }
    /** Creates a method at the peer as our page does; returns its id. */
    const typed = async () => {
      const { key: client = '' } = (await fieldsOf()).settings
      return idOf((await there.ask(client, 'POST', '/payment_methods', TYPED)).body)
    }
    const describeMethod = (token: string, more: Partial<GivenToken> = {}) =>
      rail().describe?.({ type: 'card', token, isFromPage: true, ...more }, credentials)
    const sale = (token: string, isKept?: boolean, more: object = {}): GatewayOperation => ({
      type: 'sale',
      reference: `txn_of_ours_${references++}`,
      amount: 1000 + references,
      currency: 'USD',
      method: { type: 'card', number: '', token, isKept, ...more },
    })
    const isKept = async (id: string) =>
      (await there.ask(key, 'GET', `/payment_methods/${id}`)).body.keep_active

    it('are its script and frames, with a client key that only creates methods and is given out for an hour', async () => {
      const at = rail()
      const { settings, ...fields } = await fieldsOf(at)
      expect(fields).to.deep.equal({
        kind: 'payload',
        script: `${there.address}/Payload.js`,
        origins: { script: [there.address], frame: ['https://fields.example'], connect: [] },
      })
      const paying = { type: 'payment', amount: 1, processing_id: merchant, payment_method: card() }
      expect((await there.ask(settings.key ?? '', 'POST', '/transactions', paying)).status).to.equal(403)
      expect((await fieldsOf(at)).settings).to.deep.equal(settings)
      time += 61 * 60_000
      expect((await fieldsOf(at)).settings.key)
        .to.be.a('string')
        .and.not.equal(settings.key)
    })

    it('describe a method that a page has made, but describe no stored or unknown method to a page', async () => {
      const token = await typed()
      const visa = { brand: 'visa', lastFour: '4242', expiry: '12/39', funding: 'credit' }
      expect(await describeMethod(token)).to.deep.equal(visa)
      expect(await describeMethod(token, { type: 'bank_account' })).to.equal(undefined)
      const kept = idOf((await there.ask(key, 'POST', '/payment_methods', TYPED)).body)
      expect(await describeMethod(kept)).to.equal(undefined)
      expect(await describeMethod(kept, { isFromPage: false })).to.deep.equal(visa)
      for (const unknown of ['pm_none', 'txn_1', '../transactions'])
        expect(await describeMethod(unknown)).to.equal(undefined)
    })

    it('make methods that pay once, unless the payer keeps them', async () => {
      const once = await typed()
      expect(await rail().perform(sale(once, false), credentials)).to.include({ result: 'approved' })
      expect(await isKept(once)).to.equal(false)
      expect(await rail().perform(sale(once, false), credentials)).to.include({
        result: 'declined',
        statusCode: 'token_unknown',
      })
      const kept = await typed()
      expect(await rail().perform(sale(kept), credentials)).to.include({ result: 'approved' })
      expect(await isKept(kept)).to.equal(true)
      const later = sale(kept, undefined, { isStored: true })
      expect(await rail().perform(later, credentials)).to.include({ result: 'approved' })
      expect(await rail().perform(sale('pm_none'), credentials)).to.include({ statusCode: 'token_unknown' })
    })

    it('make methods that are saved without a payment, and found by our reference', async () => {
      const consent = { text: 'They may charge it.', givenAt: 0 }
      const saving = { reference: 'pm_of_ours', consent }
      const method = { type: 'card', number: '', token: await typed() } as const
      const stored = { result: 'approved', token: method.token, amount: 0 }
      expect(await rail().store?.({ ...saving, method }, credentials)).to.include(stored)
      expect(await rail().findStored?.(saving, { since: 0 }, credentials)).to.include(stored)
      const unknown = { ...method, token: 'pm_none' }
      expect(await rail().store?.({ ...saving, method: unknown }, credentials)).to.include({
        statusCode: 'token_unknown',
      })
    })
  })
})

describe('a peer that has only a part of the API', () => {
  let http: RailClient
  let peer: ScriptedPeer
  before(async () => {
    http = openRailClient({ loopback: true })
    peer = await scriptedPeer()
  })
  after(async () => {
    await http.close()
    await peer.close()
  })
  const credentials = (): Credentials => ({
    environment: 'live',
    baseUrl: peer.address,
    secrets: { secret_key: 'secret_key_x' },
  })
  const error = (details: JsonObject) =>
    [400, { object: 'error', error_type: 'InvalidAttributes', error_description: 'No', details }] as const

  it('has no card fields without the script, or without client keys', async () => {
    peer.answer = ({ path }) => (path === '/Payload.js' ? [404, 'Nothing here'] : undefined)
    const rail = peerRail({ http, now: () => 0 })
    expect(await rejection(rail.fields?.(undefined, credentials()) ?? Promise.resolve())).to.be.instanceOf(
      UnknownOutcome,
    )
    peer.answer = ({ method }) => (method === 'POST' ? error({ type: 'Unknown' }) : undefined)
    expect(await rejection(rail.fields?.(undefined, credentials()) ?? Promise.resolve())).to.be.instanceOf(
      UnknownOutcome,
    )
  })

  it('gets a payment again without `return_url` after it has refused that attribute', async () => {
    peer.received.length = 0
    peer.answer = ({ body }) => (body.return_url === undefined ? undefined : error({ return_url: 'Unknown' }))
    const operation: GatewayOperation = {
      type: 'sale',
      reference: 'txn_1',
      amount: 100,
      currency: 'USD',
      returnUrl: 'https://pay.example/back',
      method: { type: 'card', number: '4242424242424242', expiry: '12/39' },
    }
    const outcome = await peerRail({ http, now: () => 0 }).perform(operation, credentials())
    expect(outcome).to.include({ result: 'approved', amount: 100 })
    expect(peer.received.map(({ body }) => body.return_url)).to.deep.equal([
      'https://pay.example/back',
      undefined,
    ])
  })

  it('stores no method and takes no payment while it answers 429, and names its delay', async () => {
    peer.answer = ({ path }) => (path.startsWith('/payment_methods') ? TOO_MANY : undefined)
    const rail = peerRail({ http, now: () => 0 })
    const heldBack = { result: 'not_sent', isReached: true, retryAfter: 7 }
    const method = { type: 'card', number: '', token: 'pm_there' } as const
    const storing = { reference: 'pm_ours', method, consent: { text: 'They may charge it.', givenAt: 0 } }
    expect(await rail.store?.(storing, credentials())).to.include(heldBack)
    const sale = { type: 'sale', reference: 'txn_2', amount: 100, currency: 'USD', method } as const
    expect(await rail.perform(sale, credentials())).to.include(heldBack)
  })
})
