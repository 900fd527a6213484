import { expect } from 'chai'
import { recordNotice } from '../../../src/domain/reconciliation/record-notice.js'
import { remoteSimulator } from '../../../src/gateways/simulator/remote-simulator.js'
import { Business } from '../../support/business.js'
import { idOf, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { pay } from '../../support/examples.js'
import { type OperatorVisit, operatorVisit } from './operators-visit.js'

onDatabases((open) => {
  describe('pages of exceptions', () => {
    const gateway = remoteSimulator()
    let business: Business
    let account: string
    let ada: OperatorVisit
    let disputes = 0

    before(async () => {
      business = await Business.open(open, { gateway })
      account = await business.account({ duplicate_window: 0 })
      ada = operatorVisit(business.core.app, { role: 'manager', id: 'oper_ada' })
    })

    /** Records a bank event of an unknown payment. */
    async function raised(amount = 1000, name = 'g_nobody'): Promise<string> {
      disputes++
      const notice = {
        kind: 'chargeback',
        dispute: `dp_${disputes}`,
        payment: name,
        amount,
        statusCode: 'chargeback',
      } as const
      await business.core.environment.core.write((work) => recordNotice(work, gateway, notice))
      const { body } = await business.core.send('GET', '/admin/exceptions', undefined, {
        query: 'order_by=desc(created_at)&status=open',
      })
      return idOf(valuesOf(body).find((found) => found.gateway_id === `dp_${disputes}`) ?? {})
    }

    const path = (id: string) => `exceptions/${id}/resolve`
    const exception = async (id: string) => await business.core.ok('GET', `/admin/exceptions/${id}`)

    it('list open exceptions, each with its possible resolutions and their effects', async () => {
      const id = await raised()
      const list = await ada.get('exceptions')
      expect(list.text).to.include(`/console/test/exceptions/${id}`)
      const { text } = await ada.get(`exceptions/${id}`)
      expect(text).to.include('speaks of a payment that is not in the books')
      for (const does of [
        'Nothing is booked',
        'booked as your own loss',
        'booked on the payment that you name',
      ])
        expect(text).to.include(does)
      expect(text).not.to.include('gives the money back to the payer')
    })

    it('resolve an exception once, after a preview', async () => {
      const id = await raised()
      const form = await ada.get(`${path(id)}?resolution=loss`)
      const fields = { ...form.fields, resolution: 'loss', reason: 'Nobody knows it' }
      const shown = await ada.send(path(id), fields)
      expect(shown.status).to.equal(200)
      expect(shown.text).to.include('Book a loss').and.include('$10.00').and.include('Nobody knows it')
      expect((await exception(id)).status).to.equal('open')
      const done = [
        await ada.send(path(id), { ...shown.fields, 'write.step': 'do' }),
        await ada.send(path(id), { ...shown.fields, 'write.step': 'do' }),
      ]
      expect(done.map(({ status, location }) => [status, location])).to.deep.equal([
        [303, `/console/test/exceptions/${id}`],
        [303, `/console/test/exceptions/${id}`],
      ])
      expect(await exception(id)).to.include({
        status: 'resolved',
        resolution: 'loss',
        reason: 'Nobody knows it',
      })
      expect((await ada.get(`exceptions/${id}`)).text).to.include('Book a loss')
      expect((await ada.get(path(id))).status).to.equal(409)
    })

    it('offer payments of the same amount to link, and show the chosen payment before it is booked', async () => {
      const payment = idOf(await pay(business.core, account, 25))
      const id = await raised(2500)
      const form = await ada.get(path(id))
      expect(form.text).to.include(`value="${payment}"`)
      const shown = await ada.send(path(id), {
        ...form.fields,
        resolution: 'link',
        transaction_id: payment,
        reason: 'It is this one',
      })
      expect(shown.text).to.include(`Payment of $25.00, ${payment}`)
      expect((await ada.send(path(id), { ...shown.fields, 'write.step': 'do' })).status).to.equal(303)
      expect(await exception(id)).to.include({ status: 'resolved', transaction_id: payment })
      expect((await business.core.ok('GET', `/transactions/${payment}`)).status).to.equal('rejected')
    })

    it('show a refusal at its field, and keep the reason', async () => {
      const id = await raised()
      const form = await ada.get(path(id))
      const { status, text, fields } = await ada.send(path(id), {
        ...form.fields,
        resolution: 'link',
        other_id: 'txn_0000000000000000000000',
        reason: 'Perhaps',
      })
      expect(status).to.equal(400)
      expect(text).to.include('Not found')
      expect(fields).to.include({ reason: 'Perhaps', other_id: 'txn_0000000000000000000000' })
    })

    it('resolve all matching exceptions at once, each by itself, except those that someone else has resolved', async () => {
      const ids = [await raised(1_200), await raised(1_300), await raised(1_400)]
      const filters = 'exceptions/resolve?kind=unknown_payment&amount=>=12'
      expect((await ada.get('exceptions?status=open&kind=unknown_payment')).text).to.include(
        '/console/test/exceptions/resolve?status=open&#38;kind=unknown_payment',
      )
      const form = await ada.get(filters)
      expect(form.text)
        .to.include('$39.00')
        .and.include('Book a loss')
        .and.not.include('Book it on a payment')
      const missing = await ada.send(filters, { ...form.fields, resolution: 'loss', reason: '' })
      expect(missing.status).to.equal(400)
      const shown = await ada.send(filters, {
        ...form.fields,
        resolution: 'loss',
        reason: 'Nobody knows them',
      })
      expect(shown.status, shown.text).to.equal(200)
      expect(shown.text)
        .to.include('Book a loss: 3')
        .and.include('13.00 is booked from chargeback_loss')
        .and.include('--as loss')
      for (const id of ids) expect((await exception(id)).status).to.equal('open')
      await business.core.ok('POST', `/admin/exceptions/${ids[1]}/resolve`, {
        resolution: 'ignore',
        reason: 'It is somebody else',
      })
      const done = [
        await ada.send(filters, { ...shown.fields, 'write.step': 'do' }),
        await ada.send(filters, { ...shown.fields, 'write.step': 'do' }),
      ]
      for (const { status, text } of done) {
        expect(status).to.equal(200)
        expect(text).to.include('2 of 3 exceptions are decided').and.include('Not decided')
      }
      const after = await Promise.all(ids.map(exception))
      expect(after.map(({ status, resolution }) => `${status} ${resolution}`)).to.deep.equal([
        'resolved loss',
        'resolved ignore',
        'resolved loss',
      ])
      expect((await ada.get(filters)).status).to.equal(409)
      const cashier = operatorVisit(business.core.app, { role: 'cashier' })
      expect((await cashier.get(filters)).status).to.equal(403)
      expect((await cashier.get('exceptions')).text).not.to.include('Decide many alike')
    })

    it('let cashiers read exceptions, but not resolve them', async () => {
      const id = await raised()
      const cashier = operatorVisit(business.core.app, { role: 'cashier' })
      const { status, text } = await cashier.get(`exceptions/${id}`)
      expect(status).to.equal(200)
      expect(text).not.to.include(`/exceptions/${id}/resolve`)
      expect((await cashier.get(path(id))).status).to.equal(403)
    })
  })
})
