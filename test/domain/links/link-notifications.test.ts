import { expect } from 'chai'
import { parseMail } from '../../../src/domain/mail/parse-mail.js'
import { mailText } from '../../../src/domain/mail/render-mail.js'
import type { Principal } from '../../../src/engine/core/request/principal.js'
import type { JsonObject } from '../../../src/schema/json.js'
import type { Method } from '../../../src/schema/resource.js'
import { idOf, objectOf, openCore, type TestCore, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { card, processingAccount } from '../../support/examples.js'
import { bill, openShop, payWith, type Shop } from '../billing/invoices.js'

describe('a payment link sent by mail', () => {
  onDatabases((open) => {
    let core: TestCore
    let shop: Shop
    beforeEach(async () => {
      core = await openCore(open)
      shop = await openShop(core)
    })

    const mailOn = async (more: JsonObject = {}) =>
      await core.ok('POST', '/admin/mail_servers', { from_address: 'billing@example.com', ...more })
    const send = async () => await core.environment.sendMail(new AbortController().signal)
    const make = async (body: JsonObject = {}) =>
      idOf(
        await core.ok('POST', '/payment_links', {
          amount: 29.99,
          description: 'A book',
          customer_id: shop.customer,
          processing_id: shop.processing,
          ...body,
        }),
      )
    const notify = async (link: string, body: JsonObject) =>
      await core.ok('POST', `/payment_links/${link}/notifications`, body)
    const notificationsOf = async (link: string) =>
      valuesOf(
        await core.ok('GET', `/payment_links/${link}/notifications`, undefined, { query: 'order_by=id' }),
      )
    const statesOf = async (link: string) =>
      (await notificationsOf(link)).map(({ email, phone_number: phone, status, problem }) =>
        [email ?? phone, status, problem].filter((part) => part !== null).join(' '),
      )
    /** Sends the due messages, and returns all messages about payment links. */
    const messages = async () => {
      await send()
      const query = 'kind=payment_link&order_by=id&fields=*,content'
      return valuesOf(await core.ok('GET', '/admin/mail_messages', undefined, { query }))
    }
    const textOf = (message: JsonObject | undefined) => {
      const content = parseMail(message?.content)
      return content === undefined ? '' : mailText(content)
    }
    const detailsOf = async (method: 'POST' | 'PUT', path: string, body: JsonObject) => {
      const { status, body: answer } = await core.send(method, path, body)
      expect(status).to.equal(400)
      return answer.details
    }

    it('is mailed to its customer only if email_customer is true', async () => {
      await mailOn()
      await make()
      const link = await make({ email_customer: true, expires_at: '2031-05-06 07:08:09' })
      expect(await statesOf(link)).to.deep.equal(['ada@example.com queued'])
      const [message, ...more] = await messages()
      expect(more).to.deep.equal([])
      expect(message).to.include({
        status: 'kept',
        email: 'ada@example.com',
        subject: 'Pay $29.99 to Park Books',
        processing_id: shop.processing,
      })
      expect(textOf(message))
        .to.include('Park Books asks you to pay $29.99.')
        .and.to.include('A book')
        .and.to.include('Expires: May 6, 2031')
        .and.to.include(`Pay now:\nhttp://127.0.0.1:4242/pay/${link}\n`)
      expect(await statesOf(link)).to.deep.equal(['ada@example.com kept'])
      expect(await core.ok('GET', `/payment_links/${link}`)).to.include({ email_customer: true })
    })

    it('is mailed in its own language', async () => {
      await mailOn()
      await make({ email_customer: true, locale: 'es' })
      await make({ email_customer: true, locale: 'fr' })
      expect((await messages()).map(({ subject }) => String(subject).replaceAll(/\s/g, ' '))).to.deep.equal([
        'Pague $29.99 a Park Books',
        '29,99 $US à payer à Park Books',
      ])
    })

    it('shows the amount due of an invoice, with its number', async () => {
      await mailOn()
      const invoice = await bill(shop, [12, 8], { due_date: '2031-05-06' })
      const link = await make({
        invoice_id: idOf(invoice),
        amount: null,
        description: null,
        email_customer: true,
      })
      const text = textOf((await messages())[0])
      expect(text).to.include('asks you to pay $20.00').and.to.include(`Invoice: ${invoice.number}`)
      expect(text).to.include('Due: May 6, 2031').and.to.include(`/pay/${link}`)
    })

    it('is mailed again when email_customer becomes true again, but not when it stays true', async () => {
      await mailOn()
      const link = await make()
      const put = async (body: JsonObject) => await core.ok('PUT', `/payment_links/${link}`, body)
      const whole = await put({ email_customer: true })
      await put(whole)
      await put({ email_customer: true, description: 'Two books' })
      expect(await messages()).to.have.length(1)
      await put({ email_customer: false })
      await put({ email_customer: true })
      expect(await messages()).to.have.length(2)
    })

    it('goes to the addresses of its notifications, created with it or later', async () => {
      await mailOn()
      const link = await make({ notifications: [{ email: 'office@example.com' }] })
      await notify(link, { email: 'Grace@example.com' })
      await messages()
      expect(await statesOf(link)).to.deep.equal(['office@example.com kept', 'Grace@example.com kept'])
      const shown = await core.ok('GET', `/payment_links/${link}`, undefined, {
        query: 'fields=notifications',
      })
      expect(valuesIn(shown)).to.deep.equal(['link_notification', 'link_notification'])
      await notify(link, { email: 'office@example.com' })
      expect(await messages()).to.have.length(3)
    })

    it('is mailed once per address while a mail waits, however often requests name the address', async () => {
      await mailOn()
      const link = await make({
        email_customer: true,
        notifications: [{ email: 'ADA@example.com' }, { email: 'office@example.com' }],
      })
      await notify(link, { email: 'office@example.com' })
      const waits = 'dropped The same mail waits to be sent there already'
      expect(await statesOf(link)).to.have.members([
        'ADA@example.com queued',
        `ada@example.com ${waits}`,
        'office@example.com queued',
        `office@example.com ${waits}`,
      ])
      expect((await messages()).map(({ email }) => email)).to.have.members([
        'ADA@example.com',
        'office@example.com',
      ])
    })

    it('is mailed once for a request repeated under its key, or sent twice at once', async () => {
      await mailOn()
      const body = { amount: 5, customer_id: shop.customer, email_customer: true }
      const first = await core.ok('POST', '/payment_links', body, { idempotencyKey: 'once' })
      const again = await core.ok('POST', '/payment_links', body, { idempotencyKey: 'once' })
      expect(again).to.deep.equal(first)
      await Promise.all([1, 2, 3].map(() => notify(idOf(first), { email: 'office@example.com' })))
      expect(await messages()).to.have.length(2)
      await core.send('POST', '/payment_links', body, { dryRun: true })
      expect(await messages()).to.have.length(2)
    })

    it('stores telephone numbers, and reports that no message is sent to them', async () => {
      await mailOn()
      const link = await make({ notifications: [{ phone_number: '415-555-0100' }] })
      expect(await statesOf(link)).to.deep.equal(['4155550100 not_sent Text messages are not sent'])
      expect(await messages()).to.deep.equal([])
    })

    it('reports why no mail was sent if mail is off, or switched off by the organization', async () => {
      const link = await make({ email_customer: true })
      expect(await statesOf(link)).to.deep.equal(['ada@example.com not_sent Mail is off'])
      await mailOn()
      expect(await messages()).to.deep.equal([])
      const org = { name: 'Park', industry: 'books', org_type: 'merchant', mail: { payment_link: false } }
      const parent_org_id = idOf(await core.ok('POST', '/orgs', org))
      await core.ok('PUT', `/processing_accounts/${shop.processing}`, { parent_org_id })
      expect((await notify(link, { email: 'office@example.com' })).problem).to.equal(
        'The organization has switched this kind of mail off',
      )
      expect(await messages()).to.deep.equal([])
    })

    it('is not sent after it is paid, inactive or deleted, or if mail was switched off', async () => {
      const server = await mailOn()
      const invoice = await bill(shop, [20])
      const paid = await make({ invoice_id: idOf(invoice), amount: null, email_customer: true })
      await payWith(shop, 20, [{ entry_type: 'payment', invoice_id: idOf(invoice), amount: 20 }])
      const once = await make({ email_customer: true })
      await core.ok('POST', '/transactions', {
        type: 'payment',
        amount: 29.99,
        payment_link_id: once,
        payment_method: card(),
      })
      const inactive = await make({ email_customer: true })
      await core.ok('PUT', `/payment_links/${inactive}`, { status: 'inactive' })
      await core.ok('DELETE', `/payment_links/${await make({ email_customer: true })}`)
      expect((await messages()).map(({ status, problem }) => `${status}: ${problem}`)).to.deep.equal([
        'dropped: Nothing is due on the invoice',
        'dropped: The payment link is completed',
        'dropped: The payment link is inactive',
        'dropped: The payment link is gone',
      ])
      expect(await statesOf(paid)).to.deep.equal(['ada@example.com dropped Nothing is due on the invoice'])
      const waiting = await make({ email_customer: true })
      await core.ok('DELETE', `/admin/mail_servers/${idOf(server)}`)
      await send()
      expect(await statesOf(waiting)).to.deep.equal(['ada@example.com dropped Mail is off'])
    })

    it('refuses a notification without a valid receiver', async () => {
      await mailOn()
      const link = await make()
      const path = '/link_notifications'
      const of = { payment_link_id: link }
      expect(await detailsOf('POST', path, of)).to.deep.equal({
        email: 'Required, or phone_number',
        phone_number: 'Required, or email',
      })
      expect(
        await detailsOf('POST', path, { ...of, email: 'a@example.com', phone_number: '4155550100' }),
      ).to.deep.equal({ phone_number: 'Must be in a notification of its own' })
      expect(await detailsOf('POST', path, { ...of, email: 'nobody' })).to.have.property('email')
      const nobody = idOf(await core.ok('POST', '/customers', { name: 'Nobody' }))
      const needs = { email_customer: 'Needs a customer with an email address' }
      const common = { amount: 5, processing_id: shop.processing, email_customer: true }
      expect(await detailsOf('POST', '/payment_links', common)).to.deep.equal(needs)
      expect(await detailsOf('POST', '/payment_links', { ...common, customer_id: nobody })).to.deep.equal(
        needs,
      )
      await core.ok('PUT', `/payment_links/${link}`, { status: 'inactive' })
      expect(await detailsOf('PUT', `/payment_links/${link}`, { email_customer: true })).to.deep.equal({
        email_customer: 'Is inactive',
      })
      expect(await detailsOf('POST', path, { ...of, email: 'a@example.com' })).to.deep.equal({
        payment_link_id: 'Is inactive',
      })
      expect(await messages()).to.deep.equal([])
    })

    it('has a limited number of notifications, whatever their source', async () => {
      await mailOn()
      const some = Array.from({ length: 99 }, (_, index) => ({ email: `a${index}@example.com` }))
      const link = await make({ notifications: some })
      await notify(link, { phone_number: '4155550100' })
      const most = 'Has 100 notifications, the most of a link'
      const of = { payment_link_id: link, email: 'b@example.com' }
      expect(await detailsOf('POST', '/link_notifications', of)).to.deep.equal({ payment_link_id: most })
      expect(await detailsOf('PUT', `/payment_links/${link}`, { email_customer: true })).to.deep.equal({
        email_customer: most,
      })
      expect(await notificationsOf(link)).to.have.length(100)
    })

    it('of another account cannot be sent or seen with a narrowed key', async () => {
      await mailOn()
      const link = await make({ notifications: [{ email: 'office@example.com' }] })
      const [notification] = await notificationsOf(link)
      const other = idOf(await core.ok('POST', '/processing_accounts', processingAccount('Other')))
      const principal: Principal = { kind: 'key', id: 'key_b', manage: false, processingIds: [other] }
      const as = async (method: Method, path: string, body?: JsonObject) =>
        await core.send(method, path, body, { principal })
      const posted = await as('POST', '/link_notifications', {
        payment_link_id: link,
        email: 'b@example.com',
      })
      expect(posted).to.deep.include({ status: 400 })
      expect(posted.body.details).to.deep.equal({ payment_link_id: 'Not found' })
      const tried = [
        await as('POST', `/payment_links/${link}/notifications`, { email: 'b@example.com' }),
        await as('GET', `/link_notifications/${notification?.id}`),
        await as('PUT', `/payment_links/${link}`, { email_customer: true }),
      ]
      expect(tried.map(({ status }) => status)).to.deep.equal([404, 404, 404])
      expect((await as('GET', '/link_notifications')).body.values).to.deep.equal([])
      expect(await notificationsOf(link)).to.have.length(1)
      // The customer is not visible either, as a notification would show their address.
      const mine = { amount: 5, processing_id: other, customer_id: shop.customer, email_customer: true }
      expect((await as('POST', '/payment_links', mine)).body.details).to.deep.equal({
        customer_id: 'Not found',
      })
    })

    it('is sent by retry after it was dropped, and its notification stays unchanged', async () => {
      await mailOn()
      const link = await make({ email_customer: true })
      await core.ok('PUT', `/payment_links/${link}`, { status: 'inactive' })
      const [message] = await messages()
      await core.ok('PUT', `/payment_links/${link}`, { status: 'active' })
      await core.ok('POST', `/admin/mail_messages/${message?.id}/retry`)
      expect(await statesOf(link)).to.deep.equal(['ada@example.com queued'])
      expect((await messages()).map(({ status }) => status)).to.deep.equal(['kept'])
      expect(await statesOf(link)).to.deep.equal(['ada@example.com kept'])
      const [notification] = await notificationsOf(link)
      const path = `/link_notifications/${notification?.id}`
      expect((await core.send('PUT', path, { email: 'thief@example.com' })).status).to.equal(403)
      expect((await core.send('DELETE', path)).status).to.equal(403)
    })

    it('leaves the sealed books valid', async () => {
      await mailOn()
      const link = await make({ email_customer: true, notifications: [{ phone_number: '4155550100' }] })
      await messages()
      await core.ok('DELETE', `/payment_links/${link}`)
      await make({ email_customer: true })
      await messages()
      expect((await core.ok('GET', '/admin/verify')).findings).to.deep.equal([])
    })
  })
})

function valuesIn({ notifications }: JsonObject): unknown[] {
  return Array.isArray(notifications) ? notifications.map((each) => objectOf(each).object) : []
}
