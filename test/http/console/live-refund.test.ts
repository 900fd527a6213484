import { expect } from 'chai'
import { LiveShop } from '../../domain/settlements/live-shop.js'
import { onDatabases } from '../../support/databases.js'
import { operatorVisit } from './operators-visit.js'

onDatabases((open) => {
  describe('a refund in the live console', () => {
    let shop: LiveShop
    let account: string

    before(async () => {
      shop = await LiveShop.open(open)
      account = await shop.account('none')
    })

    const page = (id: string) => `/console/live/transactions/${id}/refund`
    const refunds = async () => await shop.list('/transactions', 'type=refund')

    it('needs a large amount to be typed again', async () => {
      const id = await shop.pay(account, 800)
      const ada = operatorVisit(shop.core.app, { role: 'manager', id: 'oper_ada' })
      const form = await ada.get(page(id))
      const shown = await ada.send(page(id), { ...form.fields, reason: 'Closed' })
      expect(shown.text).to.include('Type the amount again')
      const confirm = async (typed: string) =>
        await ada.send(page(id), { ...shown.fields, 'write.step': 'do', 'write.typed': typed })
      for (const typed of ['', '80']) {
        const refused = await confirm(typed)
        expect([refused.status, await refunds()]).to.deep.equal([400, []])
        expect(refused.text).to.include('Must be the amount above')
      }
      expect((await confirm('800')).status).to.equal(303)
      expect((await refunds()).map(({ amount }) => amount)).to.deep.equal([800])
    })

    it('needs only the button to confirm a small amount', async () => {
      const id = await shop.pay(account, 20)
      const ada = operatorVisit(shop.core.app, { role: 'manager', id: 'oper_ada' })
      const form = await ada.get(page(id))
      const shown = await ada.send(page(id), { ...form.fields, reason: 'Closed' })
      expect(shown.text).not.to.include('Type the amount again')
      expect((await ada.send(page(id), { ...shown.fields, 'write.step': 'do' })).status).to.equal(303)
    })

    it('is the only form that needs the amount again; large captures, links and disputes do not', async () => {
      const authorized = await shop.pay(account, 800, { status: 'authorized' })
      const taken = await shop.pay(account, 900)
      const ada = operatorVisit(shop.core.app, { role: 'manager', id: 'oper_ada' })
      for (const [path, fields] of [
        [`transactions/${authorized}/capture`, {}],
        ['links/new', { amount: '700', description: 'A shelf', processing_id: account }],
        [`transactions/${taken}/dispute`, { event: 'chargeback', amount: '600', dispute: 'dp_1' }],
      ] as const) {
        const form = await ada.get(`/console/live/${path}`)
        const shown = await ada.send(`/console/live/${path}`, { ...form.fields, ...fields })
        expect(shown.status, shown.text).to.equal(200)
        expect(shown.text, path).to.include('What will happen').and.not.include('Type the amount again')
        const done = await ada.send(`/console/live/${path}`, { ...shown.fields, 'write.step': 'do' })
        expect(done.status, done.text).to.equal(303)
      }
      const [chargeback] = await shop.list('/transactions', 'type=chargeback')
      expect(chargeback).to.include({ amount: 600 })
    })

    it('needs a recent confirmation of identity, and keeps the typed values', async () => {
      const id = await shop.pay(account, 20)
      const ada = operatorVisit(shop.core.app, { role: 'manager', id: 'oper_ada', isConfirmed: false })
      const { status, location } = await ada.get(page(id))
      expect(status).to.equal(303)
      expect(location).to.match(/^\/console\/live\/confirm\?to=/)
      const sent = await ada.send(page(id), { amount: '12', reason: 'Half' })
      expect(decodeURIComponent(sent.location)).to.include('amount=12').and.include('reason=Half')
      const back = new URL(sent.location, 'http://here').searchParams.get('to') ?? ''
      const confirmed = operatorVisit(shop.core.app, { role: 'manager', id: 'oper_ada' })
      expect((await confirmed.get(back)).fields).to.include({ amount: '12', reason: 'Half' })
    })
  })
})
