import { expect } from 'chai'
import { Business } from '../../support/business.js'
import { idOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { pay } from '../../support/examples.js'
import { operatorVisit } from './operators-visit.js'

onDatabases((open) => {
  describe('pages of deposits and disputes', () => {
    it('show the content of a deposit, and how it adds up to its amount', async () => {
      const business = await Business.open(open)
      const processing = await business.account()
      const payments = [
        await pay(business.core, processing, 29.99),
        await pay(business.core, processing, 100),
      ].map(idOf)
      business.at('2030-01-16 00:00:00')
      await business.run()
      const [deposit] = await business.all(processing, 'deposit')
      const id = idOf(deposit ?? {})
      const ada = operatorVisit(business.core.app, { role: 'viewer' })
      const list = await ada.get('deposits')
      expect(list.text).to.include(`/console/test/deposits/${id}`).and.not.include('<td>payment</td>')
      const { text } = await ada.get(`deposits/${id}`)
      for (const fact of ['for 2030-01-15', 'Payment (2)', '$129.99', 'Paid out', '$125.62', '-$4.37'])
        expect(text).to.include(fact)
      for (const payment of payments) expect(text).to.include(`/console/test/transactions/${payment}`)
      expect((await ada.get(`transactions/${id}`)).location).to.equal(`/console/test/deposits/${id}`)
      expect((await ada.get(`deposits/${payments[0]}`)).status).to.equal(404)
      expect((await ada.get(`transactions/${payments[0]}`)).text).to.include(
        'It was paid with the deposit of',
      )
    })

    it('record a bank event of a payer, after a preview of its amount and fee', async () => {
      const business = await Business.open(open)
      const processing = await business.account()
      const id = idOf(await pay(business.core, processing, 40))
      const ada = operatorVisit(business.core.app, { role: 'manager', id: 'oper_ada' })
      const path = `transactions/${id}/dispute`
      const record = async (event: string) => {
        const form = await ada.get(path)
        const shown = await ada.send(path, { ...form.fields, event })
        expect(shown.text).to.include('$40.00')
        return await ada.send(path, { ...shown.fields, 'write.step': 'do' })
      }
      expect((await record('chargeback')).status).to.equal(303)
      expect((await business.read(id)).status).to.equal('rejected')
      const { text } = await ada.get('disputes')
      expect(text).to.include('chargeback').and.include('$40.00')
      expect((await ada.get(`transactions/${id}`)).text).to.include('The money went back to the payer')
      expect((await record('dispute_won')).status).to.equal(303)
      expect((await business.read(id)).status).to.equal('processed')
      const cashier = operatorVisit(business.core.app, { role: 'cashier' })
      expect((await cashier.get(path)).status).to.equal(403)
    })
  })
})
