import { expect } from 'chai'
import type { JsonObject } from '../../../src/schema/json.js'
import { idOf, openCore, type TestCore, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { makeProcessing, pay } from '../../support/examples.js'
import { type OperatorVisit, operatorVisit, type Visited } from './operators-visit.js'

onDatabases((open) => {
  describe('the page that refunds a payment', () => {
    let core: TestCore
    let processing: string
    let ada: OperatorVisit
    let bob: OperatorVisit

    before(async () => {
      core = await openCore(open)
      processing = await makeProcessing(core)
      ada = operatorVisit(core.app, { role: 'cashier', id: 'oper_ada' })
      bob = operatorVisit(core.app, { role: 'cashier', id: 'oper_bob' })
    })

    const take = async (amount = 100, more: JsonObject = {}) =>
      idOf(await pay(core, processing, amount, more))
    const path = (id: string) => `transactions/${id}/refund`
    const page = (id: string) => `/console/test/transactions/${id}`

    /** Fills in the form up to its preview. */
    async function preview(visit: OperatorVisit, id: string, amount = '50'): Promise<Visited> {
      const form = await visit.get(path(id))
      return await visit.send(path(id), { ...form.fields, amount, reason: 'Too large' })
    }

    const confirm = async (visit: OperatorVisit, id: string, { fields }: Visited, more = {}) =>
      await visit.send(path(id), { ...fields, 'write.step': 'do', ...more })

    async function refundsOf(id: string): Promise<number[]> {
      const { ledger = null } = await core.ok('GET', `/transactions/${id}`, undefined, {
        query: 'fields=ledger',
      })
      return valuesOf({ values: ledger }).map(({ amount }) => Number(amount))
    }

    it('offers the rest after earlier refunds, not the whole amount', async () => {
      const id = await take()
      await confirm(ada, id, await preview(ada, id, '30.50'))
      const { fields, text } = await ada.get(path(id))
      expect(fields.amount).to.equal('69.50')
      expect(text).to.include('At most $69.50 is left.')
    })

    it('shows the effect before it writes, and then leads to the payment', async () => {
      const id = await take()
      const shown = await preview(ada, id)
      expect(shown.status).to.equal(200)
      for (const fact of ['$50.00', 'Visa ending in 4242', 'Too large', 'Left of the payment then'])
        expect(shown.text).to.include(fact)
      expect(await refundsOf(id)).to.deep.equal([])
      const done = await confirm(ada, id, shown)
      expect([done.status, done.location]).to.deep.equal([303, page(id)])
      expect(await refundsOf(id)).to.deep.equal([-50])
    })

    it('stores the reason in the activity of the payment, not where the payer sees it', async () => {
      const id = await take()
      await confirm(ada, id, await preview(ada, id))
      const { text } = await ada.get(`transactions/${id}`)
      expect(text).to.include('Too large').and.include('create transaction')
      const refunds = await core.ok('GET', '/transactions', undefined, { query: 'type=refund&limit=1' })
      expect(valuesOf(refunds)[0]?.description).to.equal(null)
    })

    it('refunds once after a double click, or after Back and the button again', async () => {
      const id = await take()
      const shown = await preview(ada, id)
      const clicks = await Promise.all([confirm(ada, id, shown), confirm(ada, id, shown)])
      const again = await confirm(ada, id, shown)
      expect([...clicks, again].map(({ status }) => status)).to.deep.equal([303, 303, 303])
      expect(await refundsOf(id)).to.deep.equal([-50])
    })

    it('refunds once when two operators send the same refund at the same time', async () => {
      const id = await take()
      const [first, second] = [await preview(ada, id), await preview(bob, id)]
      const answers = await Promise.all([confirm(ada, id, first), confirm(bob, id, second)])
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([303, 409])
      const other = answers.find(({ status }) => status === 409)
      expect(other?.text).to.include('It has changed since this page was shown')
      expect(await refundsOf(id)).to.deep.equal([-50])
    })

    it('shows a new preview with the current rest, which can be sent', async () => {
      const id = await take()
      const shown = await preview(ada, id, '40')
      await confirm(bob, id, await preview(bob, id, '50'))
      const refused = await confirm(ada, id, shown)
      expect(refused.status).to.equal(409)
      expect(refused.text).to.include('$10.00')
      expect((await confirm(ada, id, refused)).status).to.equal(303)
      expect(await refundsOf(id)).to.deep.equal([-50, -40])
    })

    it('reports at the preview that the payment has changed since the form was shown', async () => {
      const id = await take()
      const form = await ada.get(path(id))
      await confirm(bob, id, await preview(bob, id, '50'))
      const shown = await ada.send(path(id), { ...form.fields, amount: '20', reason: 'Late' })
      expect(shown.status).to.equal(409)
      expect(shown.text).to.include('nothing was done')
    })

    it('refuses more than the rest at the field, and keeps the typed values', async () => {
      const id = await take()
      const { status, text, fields } = await preview(ada, id, '150')
      expect(status).to.equal(400)
      expect(text).to.include('Exceeds refundable balance of 100.00')
      expect(fields).to.include({ amount: '150', reason: 'Too large' })
    })

    it('requires a reason, and lets the amount be changed after the preview', async () => {
      const id = await take()
      const form = await ada.get(path(id))
      const refused = await ada.send(path(id), { ...form.fields, amount: '12' })
      expect([refused.status, refused.fields.amount]).to.deep.equal([400, '12'])
      expect(refused.text).to.include('Must be filled in')
      const shown = await preview(ada, id, '12')
      const changed = await ada.send(path(id), { ...shown.fields, 'write.step': 'change' })
      expect(changed.fields).to.include({ amount: '12', reason: 'Too large' })
    })

    it('refuses a form sent with other values under the same key', async () => {
      const id = await take()
      const shown = await preview(ada, id, '10')
      expect((await confirm(ada, id, shown)).status).to.equal(303)
      const other = await confirm(ada, id, shown, { amount: '20' })
      expect(other.status).to.equal(409)
      expect(other.text).to.include('was sent before with other values')
      expect(await refundsOf(id)).to.deep.equal([-10])
    })

    it('writes no row without a preview', async () => {
      const id = await take()
      const form = await ada.get(path(id))
      const answer = await ada.send(path(id), {
        ...form.fields,
        amount: '10',
        reason: 'Hurry',
        'write.step': 'do',
      })
      expect(answer.text).to.include('What will happen')
      expect(await refundsOf(id)).to.deep.equal([])
    })

    it('is closed for a payment without a refundable rest, and for a viewer', async () => {
      const id = await take()
      await confirm(ada, id, await preview(ada, id, '100'))
      expect((await ada.get(path(id))).status).to.equal(409)
      const viewer = operatorVisit(core.app, { role: 'viewer' })
      expect((await viewer.get(path(await take()))).status).to.equal(403)
    })

    it('shows hostile texts as plain text, in the form, the preview and the payment', async () => {
      const hostile = '"><img src=x onerror=alert(1)><script>alert(2)</script>'
      const id = await take(100, { description: hostile, order_number: hostile })
      const form = await ada.get(path(id))
      const shown = await ada.send(path(id), { ...form.fields, amount: '50', reason: hostile })
      expect(shown.status).to.equal(200)
      expect(shown.fields.reason).to.equal(hostile)
      await confirm(ada, id, shown)
      const { text } = await ada.get(`transactions/${id}`)
      for (const each of [form.text, shown.text, text]) expect(each).not.to.match(/<img|<script>/)
    })
  })
})
