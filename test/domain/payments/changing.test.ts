import { expect } from 'chai'
import type { JsonObject } from '../../../src/schema/json.js'
import { idOf, openCore, type TestCore } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { card, makeCustomer, makeProcessing, pay } from '../../support/examples.js'
import { booksOf, eventsOf } from './books.js'

describe('changing a payment', () => {
  onDatabases((open) => {
    let core: TestCore
    let processing: string
    before(async () => {
      core = await openCore(open)
      processing = await makeProcessing(core)
    })

    it('to voided reverses all its money', async () => {
      const account = await makeProcessing(core, 'Voids')
      const id = idOf(await pay(core, account, 29.99))
      const voided = await core.ok('PUT', `/transactions/${id}`, {
        status: 'voided',
        description: 'by mistake',
      })
      expect(voided).to.include({
        status: 'voided',
        fee: 0,
        funding_status: null,
        description: 'by mistake',
      })
      expect(await booksOf(core, account)).to.deep.equal({})
      expect(await eventsOf(core, id)).to.deep.equal([
        'payment processed',
        'processed processed',
        'void voided',
      ])
    })

    it('to its current status triggers no new event', async () => {
      const id = idOf(await pay(core, processing, 5))
      expect(await core.ok('PUT', `/transactions/${id}`, { status: 'processed' })).to.include({
        status: 'processed',
      })
      await core.ok('PUT', `/transactions/${id}`, { status: 'voided' })
      expect(await core.ok('PUT', `/transactions/${id}`, { status: 'voided' })).to.include({
        status: 'voided',
      })
      expect(await eventsOf(core, id)).to.deep.equal([
        'payment processed',
        'processed processed',
        'void voided',
      ])
    })

    it('to any other status is refused, and no row is written', async () => {
      const id = idOf(await pay(core, processing, 5))
      for (const status of ['authorized', 'processing', 'declined', 'rejected']) {
        const answer = await core.send('PUT', `/transactions/${id}`, { status, description: 'lost' })
        expect(answer.status).to.equal(400)
        expect(answer.body.details).to.deep.equal({ status: `Cannot change from processed to ${status}` })
      }
      expect(await core.ok('GET', `/transactions/${id}`)).to.include({
        status: 'processed',
        description: null,
      })
    })

    it('that is partly refunded does not void it', async () => {
      const id = idOf(await pay(core, processing, 5))
      await core.ok('POST', '/transactions', {
        type: 'refund',
        amount: 1,
        ledger: [{ assoc_transaction_id: id }],
      })
      const answer = await core.send('PUT', `/transactions/${id}`, { status: 'voided' })
      expect(answer.body.details).to.deep.equal({
        status: 'Cannot change from processed to voided: it is partly or wholly refunded',
      })
    })

    it('voids or refunds it, never both, if both are requested at once', async () => {
      for (let round = 0; round < 5; round++) {
        const id = idOf(await pay(core, processing, 5))
        const refund = { type: 'refund', amount: 5, ledger: [{ assoc_transaction_id: id }] }
        const answers = await Promise.all([
          core.send('PUT', `/transactions/${id}`, { status: 'voided' }),
          core.send('POST', '/transactions', refund),
        ])
        expect(answers.filter(({ status }) => status === 200)).to.have.length(1)
      }
    })

    it('accepts unchanged amounts and parties, but no new amounts or parties', async () => {
      const customer = await makeCustomer(core, processing)
      const other = await makeCustomer(core, processing)
      const payment = await pay(core, processing, 5, { customer_id: customer })
      const method = payment.payment_method_id ?? null
      const account = await makeProcessing(core, 'Elsewhere')
      const changes: [JsonObject, string][] = [
        [{ amount: 6 }, 'amount'],
        [{ customer_id: other }, 'customer_id'],
        [{ customer: { id: other } }, 'customer'],
        [{ customer: { name: 'Eve' } }, 'customer'],
        [{ customer: null }, 'customer'],
        [{ processing_id: account }, 'processing_id'],
        [{ processing: { id: account } }, 'processing'],
        [{ payment_method_id: null }, 'payment_method_id'],
        [{ payment_method: card() }, 'payment_method'],
        [{ payment_method: null }, 'payment_method'],
        [{ reader: { id: 'rdr_1' } }, 'reader'],
      ]
      for (const [change, name] of changes) {
        const answer = await core.send('PUT', `/transactions/${payment.id}`, change)
        expect([answer.status, answer.body.details]).to.deep.equal([400, { [name]: 'Read only' }])
      }
      const same = { customer: { id: customer }, payment_method: { id: method }, reader: null }
      for (const again of [payment, same])
        expect(await core.ok('PUT', `/transactions/${payment.id}`, again)).to.include({
          amount: 5,
          status: 'processed',
          customer_id: customer,
          payment_method_id: method,
        })
    })

    it('by deletion is possible only if no money moved', async () => {
      const id = idOf(await pay(core, processing, 5))
      const kept = await core.send('DELETE', `/transactions/${id}`)
      expect(kept.status).to.equal(400)
      expect(kept.body.details).to.deep.equal({
        status: 'Only declined and voided transactions are deleted, this is processed',
      })
      await core.ok('PUT', `/transactions/${id}`, { status: 'voided' })
      await core.ok('DELETE', `/transactions/${id}`)
      expect((await core.send('GET', `/transactions/${id}`)).status).to.equal(404)
    })
  })
})
