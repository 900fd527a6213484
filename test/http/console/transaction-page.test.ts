import { expect } from 'chai'
import { idOf, openCore, type TestCore } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { card, makeProcessing, pay } from '../../support/examples.js'
import { openReceiver, type Receiver } from '../../support/receiver.js'
import { type OperatorVisit, operatorVisit } from './operators-visit.js'

onDatabases('story', (open) => {
  describe('the page of a transaction', () => {
    let core: TestCore
    let processing: string
    let ada: OperatorVisit
    let receiver: Receiver
    let isDown = false

    before(async () => {
      core = await openCore(open)
      processing = await makeProcessing(core)
      ada = operatorVisit(core.app, { role: 'manager', id: 'oper_ada' })
      receiver = await openReceiver((_received, response) => {
        response.statusCode = isDown ? 503 : 200
        response.end()
      })
      open.atEnd(() => receiver.close())
    })

    const take = async (amount: number, more = {}) => idOf(await pay(core, processing, amount, more))
    const deliver = () => core.environment.deliver(new AbortController().signal)

    it('shows what it is, its payment method, its customer, and where its money is', async () => {
      const id = await take(1234.5, { order_number: 'A-17', description: 'Books of March' })
      const { status, text } = await ada.get(`transactions/${id}`)
      expect(status).to.equal(200)
      for (const fact of [
        'Payment of $1,234.50',
        'Visa ending in 4242, expires 12/39',
        'A-17',
        'Books of March',
        'Park Books',
        'It waits for the end of its business day',
        'Processed: the money is taken',
        `/receipt/test/rcpt_`,
      ])
        expect(text).to.include(fact)
      expect(text).not.to.include('4242 4242')
    })

    it('explains in words why a payment was declined, and what can be done', async () => {
      const declined = await core.send('POST', '/transactions', {
        type: 'payment',
        amount: 10,
        processing_id: processing,
        payment_method: card('4111 1111 1111 9904'),
      })
      const details = declined.body.details
      const id = idOf(typeof details === 'object' && details !== null && 'id' in details ? details : {})
      const { text } = await ada.get(`transactions/${id}`)
      expect(text).to.include('Declined: The balance is not sufficient.')
      expect(text).to.include('use another method')
      expect(text).not.to.include(`/transactions/${id}/refund`)
    })

    it('offers only the actions that the state and the role allow', async () => {
      const [processed, authorized] = [await take(10), await take(10, { status: 'authorized' })]
      const offers = async (visit: OperatorVisit, id: string) => {
        const { text } = await visit.get(`transactions/${id}`)
        return ['capture', 'refund', 'void'].filter((action) =>
          text.includes(`/transactions/${id}/${action}"`),
        )
      }
      expect(await offers(ada, processed)).to.deep.equal(['refund', 'void'])
      expect(await offers(ada, authorized)).to.deep.equal(['capture', 'void'])
      const viewer = operatorVisit(core.app, { role: 'viewer' })
      expect(await offers(viewer, processed)).to.deep.equal([])
    })

    it('captures a part of an authorized payment after a preview of the released amount', async () => {
      const id = await take(80, { status: 'authorized' })
      const path = `transactions/${id}/capture`
      const form = await ada.get(path)
      expect(form.fields.amount).to.equal('80.00')
      const shown = await ada.send(path, { ...form.fields, amount: '60' })
      expect(shown.text).to.include('$60.00').and.include('$20.00')
      const done = await ada.send(path, { ...shown.fields, 'write.step': 'do' })
      expect(done.status).to.equal(303)
      const captured = await core.ok('GET', `/transactions/${id}`)
      expect([captured.status, captured.amount]).to.deep.equal(['processed', 60])
    })

    it('voids a payment once, and at a second attempt says that it is voided', async () => {
      const id = await take(10)
      const path = `transactions/${id}/void`
      const shown = await ada.send(path, { ...(await ada.get(path)).fields, reason: 'Wrong order' })
      const other = await ada.send(path, { ...(await ada.get(path)).fields, reason: 'Wrong order' })
      const answers = [
        await ada.send(path, { ...shown.fields, 'write.step': 'do' }),
        await ada.send(path, { ...other.fields, 'write.step': 'do' }),
      ]
      expect(answers.map(({ status }) => status)).to.deep.equal([303, 409])
      expect(answers[1]?.text).to.include('It cannot be voided now')
      expect((await core.ok('GET', `/transactions/${id}`)).status).to.equal('voided')
    })

    it('shows the answers of webhook receivers, and repeats a delivery', async () => {
      await core.ok('POST', '/webhooks', { trigger: 'payment', url: receiver.address })
      isDown = true
      const id = await take(10)
      await deliver()
      isDown = false
      const { text } = await ada.get(`transactions/${id}`)
      expect(text).to.include('<span class="badge bad">503</span>')
      const path = new RegExp(`transactions/${id}/resend/\\w+`).exec(text)?.[0] ?? ''
      const shown = await ada.get(path)
      expect(shown.text).to.include('1 notification').and.include(receiver.address)
      const before = receiver.received.length
      expect((await ada.send(path, { ...shown.fields, 'write.step': 'do' })).status).to.equal(303)
      await deliver()
      expect(receiver.received.length).to.equal(before + 1)
      expect(receiver.received.at(-1)?.body).to.equal(receiver.received.at(-2)?.body)
      expect((await ada.get(`transactions/${id}`)).text).to.include('<span class="badge good">200</span>')
    })

    it('is missing for an unknown id', async () => {
      for (const path of ['transactions/txn_0000000000000000000000', 'transactions/txn_0/refund'])
        expect((await ada.get(path)).status, path).to.equal(404)
    })
  })
})
