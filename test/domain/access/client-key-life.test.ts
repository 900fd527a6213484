import { expect } from 'chai'
import { owner } from '../../../src/engine/core/request/principal.js'
import { datetimeOf } from '../../../src/schema/datetime.js'
import type { JsonObject } from '../../../src/schema/json.js'
import { onDatabases } from '../../support/databases.js'
import { Checkout } from './checkout.js'

const START = Date.UTC(2030, 0, 1)
const at = (seconds: number) => datetimeOf(START + seconds * 1000)

describe('client keys and their creators', () => {
  onDatabases((open) => {
    let checkout: Checkout
    let seconds = 0
    before(async () => {
      checkout = await Checkout.open(open, { now: () => START + seconds * 1000 })
      open.atEnd(() => checkout.service.stop())
    })
    beforeEach(() => {
      seconds = 0
    })

    const ask = async (key: string, method: string, path: string, body?: JsonObject) =>
      await checkout.service.ask(key, method, path, body)
    const narrowed = async (...processing_ids: string[]) => await checkout.service.key({ processing_ids })

    it('are created only for objects that their creator sees', async () => {
      const invoice_id = await checkout.idOf('/invoices', { customer_id: checkout.customer })
      const eve = await checkout.idOf('/customers', { name: 'Eve' })
      const refused: [JsonObject, JsonObject][] = [
        [{ type: 'secret' }, { type: 'Must be one of: client' }],
        [{ expires_at: at(0) }, { expires_at: 'Must be in the future' }],
        [{ processing_id: 'acct_nobody' }, { processing_id: 'Not found' }],
        [{ processing_id: checkout.customer }, { processing_id: 'Not found' }],
        [{ intent: { processing_id: 'acct_nobody' } }, { intent: { processing_id: 'Not found' } }],
        [{ intent: { customer_id: checkout.shop } }, { intent: { customer_id: 'Not found' } }],
        [{ intent: { invoice_id: 'inv_1' } }, { intent: { invoice_id: 'Not found' } }],
        [{ intent: { payment_link_id: 'plnk_1' } }, { intent: { payment_link_id: 'Not found' } }],
        [
          { processing_id: checkout.shop, intent: { processing_id: checkout.other } },
          { intent: { processing_id: `Must be ${checkout.shop}` } },
        ],
        [{ intent: { invoice_id, customer_id: eve } }, { intent: { customer_id: "Must be the invoice's" } }],
        [{ intent: { ammount: 1 } }, { intent: { ammount: 'Unknown attribute' } }],
      ]
      for (const [body, details] of refused) {
        const answer = await ask(checkout.secret, 'POST', '/access_tokens', body)
        expect([answer.status, answer.body.details], JSON.stringify(body)).to.deep.equal([400, details])
      }
    })

    it('inherit the account narrowing of their creator', async () => {
      const mine = await narrowed(checkout.shop)
      const key = await checkout.make({}, mine)
      expect((await ask(mine, 'GET', `/access_tokens/${key}`)).body.processing_id).to.equal(checkout.shop)
      expect(await checkout.outcome(key, { processing_id: null })).to.equal('processed')
      expect((await checkout.pay(key, { processing_id: checkout.other })).status).to.equal(403)
      const foreign = await ask(mine, 'POST', '/access_tokens', { processing_id: checkout.other })
      expect(foreign.status).to.equal(403)
      const meant = await ask(mine, 'POST', '/access_tokens', { intent: { processing_id: checkout.other } })
      expect(meant.body.details).to.deep.equal({ intent: { processing_id: `Must be ${checkout.shop}` } })

      const both = await narrowed(checkout.shop, checkout.other)
      const unnamed = await ask(both, 'POST', '/access_tokens', {})
      expect([unnamed.status, unnamed.body.details]).to.deep.equal([400, { processing_id: 'Required' }])
      const named = await checkout.make({ intent: { processing_id: checkout.other } }, both)
      expect((await checkout.pay(named, { processing_id: null })).body.processing_id).to.equal(checkout.other)
      expect((await ask(mine, 'GET', `/access_tokens/${named}`)).status).to.equal(404)
      expect((await ask(both, 'GET', `/access_tokens/${named}`)).status).to.equal(200)
    })

    it('inherit the verbs of their creator', async () => {
      const poor = await checkout.service.key({ grants: { access_tokens: ['POST'] } })
      const { status, body } = await ask(poor, 'POST', '/access_tokens', {})
      expect([status, body.error_description]).to.deep.equal([403, 'The key may not POST /transactions'])
      const rich = await checkout.service.key({ grants: { access_tokens: ['POST'], transactions: ['POST'] } })
      expect(await checkout.outcome(await checkout.make({}, rich))).to.equal('processed')
    })

    it('are refused if they are expired, deleted or unknown', async () => {
      const expiring = await checkout.make({ expires_at: at(10) })
      seconds = 9
      expect(await checkout.outcome(expiring)).to.equal('processed')
      seconds = 10
      expect((await checkout.pay(expiring)).status).to.equal(401)
      seconds = 0
      const deleted = await checkout.make()
      expect((await ask(checkout.secret, 'DELETE', `/access_tokens/${deleted}`)).body.id).to.equal(deleted)
      expect((await checkout.pay(deleted)).status).to.equal(401)
      expect((await ask(checkout.secret, 'GET', `/access_tokens/${deleted}`)).status).to.equal(404)
      const unknown = deleted.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
      expect((await checkout.pay(unknown)).status).to.equal(401)
    })

    it('end with the key that created them', async () => {
      const made = await ask(checkout.manager, 'POST', '/admin/keys', { expires_at: at(100) })
      const key = await checkout.make({}, String(made.body.secret_key))
      expect(await checkout.outcome(key)).to.equal('processed')
      seconds = 100
      expect((await checkout.pay(key)).status).to.equal(401)
      seconds = 0
      await ask(checkout.manager, 'DELETE', `/admin/keys/${made.body.id}`)
      expect((await checkout.pay(key)).status).to.equal(401)
    })

    it('of the operator do not depend on a key', async () => {
      const { core } = await checkout.service.app.environment('test')
      const { body } = await core.handle({
        method: 'POST',
        path: '/access_tokens',
        body: {},
        principal: owner,
      })
      expect(await checkout.outcome(String(body.id))).to.equal('processed')
    })
  })
})
