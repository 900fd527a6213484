import { expect } from 'chai'
import type { JsonObject } from '../../../src/schema/json.js'
import { idOf, openCore, type TestCore, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { makeProcessing, pay } from '../../support/examples.js'

describe('payments at a card reader', () => {
  onDatabases((open) => {
    let core: TestCore
    let processing: string
    let reader: string
    before(async () => {
      core = await openCore(open)
      processing = await makeProcessing(core)
      reader = await makeReader(processing)
    })
    const makeReader = async (account: string, more: JsonObject = {}) =>
      idOf(await core.ok('POST', '/readers', { name: 'Front desk', processing_id: account, ...more }))
    const refused = async (body: JsonObject) => {
      const payment = { type: 'payment', amount: 5, processing_id: processing, ...CARD, ...body }
      const answer = await core.send('POST', '/transactions', payment)
      return [answer.status, answer.body.details]
    }

    it('show the reader, by its id and as an object', async () => {
      const payment = await pay(core, processing, 12, { reader_id: reader, source: 'emv' })
      expect(payment).to.include({ reader_id: reader, source: 'emv', status: 'processed' })
      const shown = await core.ok('GET', `/transactions/${idOf(payment)}/reader`)
      expect(shown).to.deep.equal(await core.ok('GET', `/readers/${reader}`))
      expect(shown).to.include({ object: 'reader', name: 'Front desk', status: 'active' })
      const query = `reader[name]=Front desk&fields=id`
      const found = await core.ok('GET', '/transactions', undefined, { query })
      expect(valuesOf(found).map(idOf)).to.deep.equal([idOf(payment)])
    })

    it('accept the reader as an object with its id', async () => {
      expect(await pay(core, processing, 3, { reader: { id: reader } })).to.include({ reader_id: reader })
      expect(await refused({ reader: { id: reader }, reader_id: 'rdr_other' })).to.deep.equal([
        400,
        { reader_id: 'Must be the id of reader' },
      ])
      const made = { name: 'New', processing_id: processing }
      expect(await refused({ reader: made, reader_id: reader })).to.deep.equal([
        400,
        { reader: 'Must not be sent with reader_id' },
      ])
    })

    it('need an active reader of their processing account', async () => {
      const others = await makeReader(await makeProcessing(core))
      const inactive = await makeReader(processing, { status: 'inactive' })
      const gone = await makeReader(processing)
      await core.ok('DELETE', `/readers/${gone}`)
      const problems: [id: string, problem: string][] = [
        ['rdr_nobody', 'Not found'],
        [gone, 'Not found'],
        [others, 'Belongs to another processing account'],
        [inactive, 'The reader is inactive'],
      ]
      for (const [id, problem] of problems)
        expect(await refused({ reader_id: id }), id).to.deep.equal([400, { reader_id: problem }])
    })

    it('keep their reader, and can be refunded at another reader of the same account', async () => {
      const payment = await pay(core, processing, 8, { reader_id: reader })
      const other = await makeReader(processing)
      const changed = { reader_id: other }
      const { status, body } = await core.send('PUT', `/transactions/${idOf(payment)}`, changed)
      expect([status, body.details]).to.deep.equal([400, { reader_id: 'Read only' }])
      const tree = await core.send('PUT', `/transactions/${idOf(payment)}`, { reader: { id: other } })
      expect([tree.status, tree.body.details]).to.deep.equal([400, { reader: 'Read only' }])
      const same = { reader: { id: reader }, description: 'Books' }
      expect(await core.ok('PUT', `/transactions/${idOf(payment)}`, same)).to.include({
        description: 'Books',
      })
      const refund = { type: 'refund', amount: 1, ledger: [{ assoc_transaction_id: idOf(payment) }] }
      expect(await core.ok('POST', '/transactions', { ...refund, ...changed })).to.include(changed)
      const others = await makeReader(await makeProcessing(core))
      const elsewhere = await core.send('POST', '/transactions', { ...refund, reader_id: others })
      expect([elsewhere.status, elsewhere.body.details]).to.deep.equal([
        400,
        { reader_id: 'Belongs to another processing account' },
      ])
    })
  })
})

const CARD: JsonObject = {
  payment_method: { type: 'card', card: { card_number: '4242 4242 4242 4242', expiry: '12/39' } },
}
