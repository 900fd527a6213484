import { expect } from 'chai'
import { openShop } from '../../domain/billing/invoices.js'
import { openCore, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { operatorVisit } from './operators-visit.js'

onDatabases((open) => {
  describe('the page of a payment link', () => {
    it('lists the mails about the link with their status, after a form that sends a mail once', async () => {
      const core = await openCore(open)
      const { customer } = await openShop(core)
      const ada = operatorVisit(core.app, { role: 'cashier' })
      const path = `customers/${customer}/link`
      const form = await ada.get(path)
      expect(form.text).to.include('name="email_customer"')
      const filled = { ...form.fields, amount: '5', email_customer: 'true' }
      const preview = await ada.send(path, filled)
      const done = await ada.send(path, { ...preview.fields, 'write.step': 'do' })
      await ada.send(path, { ...preview.fields, 'write.step': 'do' })
      expect(done.status, done.text).to.be.oneOf([200, 303])
      const [link, ...more] = valuesOf(await core.ok('GET', '/payment_links'))
      expect(more).to.deep.equal([])
      const page = await ada.get(`links/${link?.id}`)
      expect(page.text).to.include('Sent to').and.include('ada@example.com').and.include('Mail is off')
    })
  })
})
