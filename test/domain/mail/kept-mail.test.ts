import { expect } from 'chai'
import { parseMail } from '../../../src/domain/mail/parse-mail.js'
import { mailHtml, mailText } from '../../../src/domain/mail/render-mail.js'
import { sendDueMail } from '../../../src/domain/mail/send-mail.js'
import { systemRandom } from '../../../src/platform/random.js'
import type { JsonObject } from '../../../src/schema/json.js'
import { idOf, type TestCore, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { card } from '../../support/examples.js'
import { booksSealed } from '../../support/outsider.js'
import { runnerBefore } from '../../support/runner-before.js'
import { bill, payWith, refund, type Shop } from '../billing/invoices.js'
import { advance, openBilling, schedule } from '../billing/schedules/schedules.js'

describe('mail in test', () => {
  onDatabases((open) => {
    let shop: Shop
    let core: TestCore
    beforeEach(async () => {
      shop = await openBilling(open)
      core = shop.core
    })

    const mailOn = async (more: JsonObject = {}) =>
      await core.ok('POST', '/admin/mail_servers', { from_address: 'billing@example.com', ...more })
    const send = async () => await core.environment.sendMail(new AbortController().signal)
    const messages = async (query = '') => {
      await send()
      return valuesOf(
        await core.ok('GET', '/admin/mail_messages', undefined, {
          query: `order_by=id&fields=*,content${query}`,
        }),
      )
    }
    const kinds = async () => (await messages()).map(({ kind, status }) => `${kind} ${status}`)
    const textOf = (message: JsonObject | undefined) => {
      const content = parseMail(message?.content)
      return content === undefined ? '' : mailText(content)
    }
    const organization = async (mail: JsonObject) => {
      const org = { name: 'Park', industry: 'books', org_type: 'merchant', mail }
      const parent_org_id = idOf(await core.ok('POST', '/orgs', org))
      await core.ok('PUT', `/processing_accounts/${shop.processing}`, { parent_org_id })
      return parent_org_id
    }

    it('is off by default, and is never sent about events from before it was switched on', async () => {
      await payWith(shop, 10, [])
      expect(await kinds()).to.deep.equal([])
      // On PostgreSQL, an event counts as later while an older unit of work still runs, as sealing does.
      await booksSealed(core.place)
      await mailOn()
      expect(await kinds()).to.deep.equal([])
    })

    it('stores the receipts of a payment and of its refund', async () => {
      await mailOn()
      const payment = await payWith(shop, 29.99, [], { description: 'A book' })
      await refund(core, payment, 5)
      expect(await kinds()).to.deep.equal(['receipt kept', 'receipt kept'])
      const [paid, back] = await messages()
      expect(paid).to.include({
        email: 'ada@example.com',
        subject: 'Receipt for your payment to Park Books',
        language: 'en',
        processing_id: shop.processing,
      })
      expect(textOf(paid)).to.include('[This is a test. No money was moved.]')
      expect(textOf(paid)).to.include('You paid $29.99 to Park Books')
      expect(textOf(paid)).to.include('Paid with: Visa ending in 4242')
      expect(textOf(paid)).to.match(
        /See the receipt:\nhttp:\/\/127\.0\.0\.1:4242\/receipt\/test\/rcpt_\w+\?signature=/,
      )
      expect(textOf(back)).to.include('Park Books has refunded $5.00 to you.')
      expect(JSON.stringify(await messages())).to.not.include('4242424242424242')
    })

    it('informs the merchant of a dispute when it begins, before its deadline, and when it is decided', async () => {
      await mailOn({ reply_to: 'desk@park.example' })
      const payment = idOf(await payWith(shop, 29.99, []))
      await core.ok('POST', '/admin/simulate', { event: 'chargeback', transaction_id: payment })
      const disputes = async () =>
        (await messages('&kind=dispute')).map((each) => `${each.email}: ${each.subject}`)
      const begun = ['desk@park.example: Park Books: $29.99 is disputed']
      expect(await disputes()).to.deep.equal(begun)
      await advance(core, '7d')
      const due = [...begun, 'desk@park.example: Park Books: answer the dispute of $29.99 soon']
      expect(await disputes()).to.deep.equal(due)
      await core.ok('POST', '/admin/simulate', { event: 'dispute_won', transaction_id: payment })
      const won = [...due, 'desk@park.example: Park Books: the dispute of $29.99 is won']
      expect(await disputes()).to.deep.equal(won)
      expect(textOf((await messages('&kind=dispute')).at(-1))).to.include('$29.99 stays with you')
    })

    it('is not sent about a dispute without a reply address', async () => {
      await mailOn()
      const payment = idOf(await payWith(shop, 10, []))
      await core.ok('POST', '/admin/simulate', { event: 'chargeback', transaction_id: payment })
      expect(await kinds()).to.deep.equal(['receipt kept'])
    })

    it('queues one message per receipt, however often events are read', async () => {
      await mailOn()
      await payWith(shop, 10, [])
      for (let time = 0; time < 3; time++)
        await Promise.all([send(), send()].map((run) => run.catch(() => 0)))
      expect(await kinds()).to.deep.equal(['receipt kept'])
    })

    it('contains a receipt created for another address', async () => {
      const payment = await payWith(shop, 10, [])
      await mailOn()
      await core.ok('POST', '/receipts', { transaction_id: idOf(payment), email: 'office@example.com' })
      const [message] = await messages()
      expect(message).to.include({ kind: 'receipt', email: 'office@example.com', status: 'kept' })
    })

    it('presents a new invoice with a link to pay it', async () => {
      await mailOn()
      const invoice = await bill(shop, [12, 8], { due_date: '2026-12-20', description: 'Two books' })
      const [message] = await messages()
      expect(message).to.include({ kind: 'invoice', status: 'kept', about_id: idOf(invoice) })
      const text = textOf(message)
      expect(text).to.include('Two books').and.to.include('$20.00').and.to.include('Due: December 20, 2026')
      const [, link = ''] = /(plnk_\w+)/.exec(text) ?? []
      expect(await core.ok('GET', `/payment_links/${link}`)).to.include({
        invoice_id: idOf(invoice),
        status: 'active',
      })
    })

    it('reminds once of an unpaid invoice some days before its due date', async () => {
      await mailOn({ reminder_days: 5 })
      const invoice = await bill(shop, [20], { due_date: '2026-12-20' })
      const paid = await bill(shop, [20], { due_date: '2026-12-20' })
      await payWith(shop, 20, [{ entry_type: 'payment', invoice_id: idOf(paid), amount: 20 }])
      await bill(shop, [20], { due_date: '2026-11-23' })
      await advance(core, '10d')
      expect(await kinds()).to.not.include('reminder kept')
      await advance(core, '15d')
      const reminders = (await messages()).filter(({ kind }) => kind === 'reminder')
      expect(reminders.map(({ about_id: id }) => id)).to.deep.equal([idOf(invoice)])
      expect(textOf(reminders[0])).to.include('A reminder: $20.00 is due on December 20, 2026.')
      expect(textOf(reminders[0])).to.include(
        'Stop reminders like this one:\nhttp://127.0.0.1:4242/unsubscribe/test/mail_',
      )
      await advance(core, '10d')
      expect((await messages()).filter(({ kind }) => kind === 'reminder')).to.have.length(1)
    })

    it('reports a failed automatic payment once, with links to pay and to replace the card', async () => {
      await mailOn()
      await core.ok('POST', '/payment_methods', {
        ...card('4111111111119904'),
        account_id: shop.customer,
        default_payment_method: true,
      })
      await schedule(shop, 'annually')
      await advance(core, '6d')
      const failed = (await messages()).filter(({ kind }) => kind === 'failed_payment')
      expect(failed).to.have.length(1)
      expect(textOf(failed[0])).to.include('We could not charge $20.00 to Visa ending in 9904.')
      expect(textOf(failed[0])).to.match(/Pay now:\nhttp:\/\/127\.0\.0\.1:4242\/pay\/plnk_/)
      const [, link = ''] = /Replace the card on file:\n\S+\/pay\/(plnk_\w+)/.exec(textOf(failed[0])) ?? []
      expect(await core.ok('GET', `/payment_links/${link}`)).to.include({
        type: 'method',
        customer_id: shop.customer,
        status: 'active',
      })
    })

    it('announces that a card expires at the end of the next month', async () => {
      await mailOn()
      await schedule(shop, 'annually', { start_date: '2027-06-01' })
      await core.ok('PUT', `/payment_methods/${shop.method}`, { card: { expiry: '01/27' } })
      await advance(core, '1mo')
      const [message, ...more] = (await messages()).filter(({ kind }) => kind === 'expiring_card')
      expect(more).to.deep.equal([])
      expect(message).to.include({ about_id: shop.method, status: 'kept' })
      expect(textOf(message)).to.include('expires at the end of January 2027')
    })

    it('omits the kinds that an organization has switched off, and uses its language and reply address', async () => {
      await mailOn()
      await organization({ receipt: false, language: 'es', reply_to: 'ayuda@example.com' })
      await payWith(shop, 10, [])
      await bill(shop, [20], { due_date: '2026-12-20' })
      const [message, ...more] = await messages()
      expect(more).to.deep.equal([])
      expect(message).to.include({ kind: 'invoice', language: 'es' })
      expect(message?.subject).to.match(/^Factura .* de Park Books$/)
      expect(parseMail(message?.content)?.replyTo).to.equal('ayuda@example.com')
      expect(textOf(message)).to.include('¿Preguntas? Responda a este mensaje.')
    })

    it('is written in French if the operator sets it', async () => {
      await mailOn({ language: 'fr' })
      await payWith(shop, 29.99, [])
      const [message] = await messages()
      expect(message?.subject).to.equal('Reçu de votre paiement à Park Books')
      expect(textOf(message)).to.include('29,99')
    })

    it('escapes hostile texts of merchants', async () => {
      await mailOn()
      const hostile = '<img src=x onerror=alert(1)>\r\nBcc: thief@example.com \u202eevil'
      await core.ok('PUT', `/processing_accounts/${shop.processing}`, { name: 'Park & "Sons" <b>' })
      await payWith(shop, 10, [], { description: hostile })
      const [message] = await messages()
      const content = parseMail(message?.content)
      if (!content) throw new Error('It is not written')
      expect(mailHtml(content)).to.not.match(/<img|<b>|\u202e/)
      expect(mailHtml(content)).to.include('Park &#38; &#34;Sons&#34; &#60;b&#62;')
      expect(mailText(content)).to.not.match(/^Bcc:/m)
      expect(message?.subject).to.equal('Receipt for your payment to Park & "Sons" <b>')
    })

    it('drops a message about an invoice with no amount due, and retries it on request', async () => {
      await mailOn()
      const invoice = await bill(shop, [20], { due_date: '2026-12-20' })
      await payWith(shop, 20, [{ entry_type: 'payment', invoice_id: idOf(invoice), amount: 20 }])
      const [message] = (await messages()).filter(({ kind }) => kind === 'invoice')
      expect(message).to.include({ status: 'dropped', problem: 'Nothing is due on the invoice' })
      const path = `/admin/mail_messages/${message?.id}/retry`
      expect(await core.ok('POST', path)).to.include({ status: 'queued' })
      const [receipt] = (await messages()).filter(({ kind }) => kind === 'receipt')
      expect((await core.send('POST', `/admin/mail_messages/${receipt?.id}/retry`)).status).to.equal(409)
    })

    it('drops no message that is queued after mail is switched on again', async () => {
      const server = idOf(await mailOn())
      await bill(shop, [20], { due_date: '2026-12-20' })
      await core.ok('DELETE', `/admin/mail_servers/${server}`)
      let isOff = true
      const runner = runnerBefore(core, {
        write: async () => {
          if (!isOff) return
          await mailOn()
          await bill(shop, [30], { due_date: '2026-12-20' })
          isOff = false
        },
      })
      const openSmtp = () => Promise.reject(new Error('Nothing is sent in test'))
      await sendDueMail({ runner, openSmtp, random: systemRandom }, new AbortController().signal)
      expect(isOff).to.equal(false)
      expect(await kinds()).to.deep.equal(['invoice kept', 'invoice kept'])
    })

    it('drops waiting messages when it is switched off', async () => {
      const server = await mailOn()
      await bill(shop, [20], { due_date: '2026-12-20' })
      await core.ok('DELETE', `/admin/mail_servers/${idOf(server)}`)
      expect(await kinds()).to.deep.equal(['invoice dropped'])
      await payWith(shop, 10, [])
      expect(await kinds()).to.deep.equal(['invoice dropped'])
    })
  })
})
