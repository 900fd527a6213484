import { expect } from 'chai'
import { owner } from '../../../src/engine/core/request/principal.js'
import type { JsonObject } from '../../../src/schema/json.js'
import { payctl } from '../../cli/commands/payctl.js'
import { idOf, openCore, type TestCore } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { card, makeProcessing } from '../../support/examples.js'
import { asOutsider, booksSealed } from '../../support/outsider.js'
import { openPeer, type RecordingPeer } from './recording-peer.js'

const SECRET = 'test_secret_key_of_the_merchant'
const OTHER = 'test_secret_key_of_another'

describe('the credentials of a gateway', () => {
  onDatabases((open) => {
    let core: TestCore
    let bank: RecordingPeer
    let thief: RecordingPeer
    let gateway: string
    let account: string
    let time = 0

    before(async () => {
      bank = await openPeer(open)
      thief = await openPeer(open)
      // Each reading is 100 ms later, so the cached configuration has always expired.
      const stopwatch = { now: () => (time += 100) }
      core = await openCore(open, { gatewayLoopback: true, report: () => undefined, stopwatch })
      account = await makeProcessing(core)
      gateway = await add('up', SECRET)
      await core.ok('PUT', '/admin/gateway_routes', { default: 'up' })
    })

    const add = async (name: string, secret_key: string) =>
      idOf(
        await core.ok('POST', '/admin/gateways', {
          name,
          kind: 'peer',
          base_url: bank.address,
          merchant: 'acct_m',
          credentials: { secret_key },
        }),
      )
    const put = (body: JsonObject) => core.send('PUT', `/admin/gateways/${gateway}`, body)
    /** Whether a test of the gateway finds no problem. */
    const test = async () => (await core.ok('POST', `/admin/gateways/${gateway}/test`)).problem === null
    const pay = () =>
      core.send('POST', '/transactions', {
        type: 'payment',
        amount: 29.99,
        processing_id: account,
        payment_method: card(),
      })
    const command = async (...words: string[]) => {
      await booksSealed(core.place)
      return await payctl(core.place, words, { variables: { PAYCTL_GATEWAY_LOOPBACK: '1' } })
    }
    const changed = (columns: string) =>
      asOutsider(core.place, `update admin_gateways set ${columns} where id = '${gateway}'`)
    const posts = () => bank.payments.length
    const expectClosed = async () => {
      const { status, body } = await pay()
      expect(status).to.equal(503)
      expect(body.error_type).to.equal('ServiceUnavailable')
      expect(await test()).to.equal(false)
      expect(await core.environment.reconcile(0)).to.be.an('array')
    }

    for (const [name, original, changes] of [
      ['address', () => `base_url = '${bank.address}'`, () => `base_url = '${thief.address}'`],
      ['merchant', () => "merchant = 'acct_m'", () => "merchant = 'acct_thief'"],
      ['kind', () => "kind = 'peer'", () => "kind = 'stripe'"],
    ] as const)
      it(`cannot be decrypted after the ${name} of the gateway was changed outside of payctl`, async () => {
        await changed(changes())
        const sent = bank.received.length
        await expectClosed()
        expect(thief.received).to.deep.equal([])
        expect(bank.received.length).to.equal(sent)
        const shown = await core.ok('GET', `/admin/gateways/${gateway}`)
        expect(shown.problem).to.include('payctl gateways update up --env test')
        const doctor = await command('doctor')
        expect(doctor.exitCode).to.not.equal(0)
        expect(doctor.stdout).to.include('something other than payctl')
        const verify = await command('verify', '--json')
        expect(verify.exitCode).to.equal(8)
        expect(verify.stdout).to.include(gateway)
        await changed(original())
        expect(await test()).to.equal(true)
      })

    it('are not used if they were copied from another gateway or removed outside of payctl', async () => {
      const other = await add('other', OTHER)
      const sealed = '(select sealed_credentials from admin_gateways where id ='
      const posted = posts()
      await asOutsider(
        core.place,
        'create table thief (id text, sealed text)',
        'insert into thief select id, sealed_credentials from admin_gateways',
        `update admin_gateways set sealed_credentials = ${sealed} '${other}') where id = '${gateway}'`,
      )
      await expectClosed()
      await changed('sealed_credentials = null')
      await expectClosed()
      expect(posts()).to.equal(posted)
      await changed('sealed_credentials = (select sealed from thief where thief.id = admin_gateways.id)')
      await asOutsider(core.place, 'drop table thief')
      expect(await test()).to.equal(true)
    })

    it('are required again for a new address or merchant, which never receives the old credentials', async () => {
      const shown = await core.ok('GET', `/admin/gateways/${gateway}`)
      const moves: JsonObject[] = [{ base_url: thief.address }, { merchant: 'acct_other' }]
      for (const moved of moves) {
        const { status, body } = await put(moved)
        expect(status).to.equal(400)
        expect(body.details).to.deep.equal({
          credentials: { secret_key: 'Required, as its address or merchant changes' },
        })
      }
      expect(await core.ok('GET', `/admin/gateways/${gateway}`)).to.deep.equal(shown)
      const refused = await command('gateways', 'update', 'up', '--base-url', thief.address)
      expect(refused.stderr).to.include('secret_key')
      await test()
      expect(thief.received).to.deep.equal([])

      const credentials = { secret_key: OTHER }
      expect((await put({ base_url: thief.address, credentials })).status).to.equal(200)
      await test()
      expect(thief.received.join()).to.include(OTHER).and.not.include(SECRET)
      const back = { base_url: `${bank.address}/`, credentials: { secret_key: SECRET } }
      expect((await put(back)).status).to.equal(200)
      // No credentials are required if the address and merchant are sent back unchanged.
      expect((await put({ base_url: bank.address, merchant: 'acct_m', numbers: 'keep' })).status).to.equal(
        200,
      )
    })

    it('must be sent again with address and merchant after a change outside of payctl', async () => {
      thief.received.length = 0
      await changed(`base_url = '${thief.address}'`)
      const credentials = { secret_key: SECRET }
      const anew = 'Required, as the gateway was changed by something other than payctl'
      expect((await put({ numbers: 'keep' })).body.details).to.deep.equal({ base_url: anew })
      expect((await put({ credentials })).body.details).to.deep.equal({ base_url: anew })
      expect((await put({ base_url: bank.address, credentials })).body.details).to.deep.equal({
        merchant: anew,
      })
      expect((await put({ base_url: bank.address, merchant: 'acct_m' })).body.details).to.deep.equal({
        credentials: { secret_key: anew },
      })
      expect((await put({ base_url: bank.address, merchant: 'acct_m', credentials })).status).to.equal(200)
      expect(await test()).to.equal(true)
      expect(thief.received).to.deep.equal([])
    })

    it('are bound to their gateway like tokens, which are sent to no other gateway', async () => {
      const customer_id = idOf(await core.ok('POST', '/customers', { name: 'Ada' }))
      const method = idOf(
        await core.ok('POST', '/payment_methods', {
          type: 'card',
          account_id: customer_id,
          gateway_token: { gateway: 'up', token: 'pm_of_the_card' },
        }),
      )
      await core.ok('PUT', '/admin/gateway_routes', { default: 'other' })
      await asOutsider(
        core.place,
        `update payment_methods set token_gateway = 'other' where id = '${method}'`,
      )
      bank.received.length = 0
      const { status } = await core.send('POST', '/transactions', {
        type: 'payment',
        amount: 29.99,
        processing_id: account,
        customer_id,
        payment_method_id: method,
      })
      expect(status, 'the token does not open').to.equal(500)
      expect(bank.received.join()).to.not.include('pm_of_the_card')
      await core.ok('PUT', '/admin/gateway_routes', { default: 'up' })
    })

    it('cannot be decrypted in test if they were stored in live', async () => {
      const { core: live } = await core.app.environment('live')
      const credentials = { secret_key: 'secret_key_of_live' }
      const body = { name: 'up', kind: 'peer', base_url: bank.address, merchant: 'acct_m', credentials }
      const added = await live.handle({
        method: 'POST',
        path: '/admin/gateways',
        body,
        query: [],
        principal: owner,
      })
      const id = idOf(added.body)
      const { sealed_credentials: sealed } = await live.read(({ tx }) =>
        tx.db.selectFrom('admin_gateways').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
      )
      const posted = posts()
      await changed(`id = '${id}', sealed_credentials = '${sealed}'`)
      await asOutsider(core.place, `update gateway_routes set gateway_id = '${id}'`)
      expect((await pay()).status).to.equal(503)
      expect(posts()).to.equal(posted)
      expect(bank.received.join()).to.not.include('secret_key_of_live')
    })
  })
})
