import { expect } from 'chai'
import type { JsonObject } from '../../../src/schema/json.js'
import { idOf, objectOf, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { card } from '../../support/examples.js'
import { openShop, type Shop } from './shop.js'

onDatabases((open) => {
  describe('interface line 10: a client token with intent.checkout_page', () => {
    let shop: Shop

    before(async () => {
      shop = await openShop(open)
    })

    const token = async (page: JsonObject) =>
      await shop.ok('POST', '/access_tokens', { type: 'client', intent: { checkout_page: page } })
    const pageOf = (made: object) => objectOf(objectOf(Reflect.get(made, 'intent')).checkout_page)

    it('has the address of a page that takes its amount once', async () => {
      const made = await token({ amount: 29.99, description: 'A book', bank_account_payments: false })
      const { url, ...rest } = pageOf(made)
      expect(rest).to.deep.equal({ amount: 29.99, description: 'A book', bank_account_payments: false })
      expect(await shop.ok('GET', `/access_tokens/${idOf(made)}`)).to.deep.equal(made)
      const page = await fetch(String(url))
      expect([page.status, await page.text()].join(' ')).to.match(/^200 .*A book.*29\.99/s)

      const body = JSON.stringify({ type: 'payment', amount: 29.99, payment_method: card() })
      const headers = { authorization: `Bearer ${idOf(made)}`, 'content-type': 'application/json' }
      const pay = async () =>
        await fetch(`${shop.service.address}/transactions`, { method: 'POST', headers, body })
      expect((await pay()).status).to.equal(200)
      expect(await (await fetch(String(url))).text())
        .to.include('This is paid')
        .and.to.include('Show the receipt')
      expect((await pay()).status).to.equal(400)
    })

    it('accepts only its own kinds of payment method', async () => {
      const shown = async (accepted: JsonObject) => {
        const { url } = pageOf(await token({ amount: 6, ...accepted }))
        const [bank, card] = [`${url}?method=bank_account`, `${url}?method=card`]
        const texts = await Promise.all([bank, card].map(async (page) => await (await fetch(page)).text()))
        return texts.map((text) => /name="(routing_number|card_number)"/.exec(text)?.[1])
      }
      expect(await shown({})).to.deep.equal(['routing_number', 'card_number'])
      expect(await shown({ card_payments: false })).to.deep.equal(['routing_number', 'routing_number'])
      expect(await shown({ bank_account_payments: false })).to.deep.equal(['card_number', 'card_number'])
    })

    it('can be for an invoice, or for a link that it names', async () => {
      const invoice = await shop.ok('POST', '/invoices', {
        customer: { name: 'Ada' },
        items: [{ entry_type: 'charge', amount: 12 }],
      })
      const { url } = pageOf(await token({ invoice_id: idOf(invoice) }))
      expect(await (await fetch(String(url))).text()).to.include('12.00')
      const link = await shop.ok('POST', '/payment_links', { amount: 5 })
      const named = await token({ payment_link_id: idOf(link) })
      expect(pageOf(named).url).to.equal(link.url)
      await shop.ok('DELETE', `/access_tokens/${idOf(named)}`)
      expect(await shop.ok('GET', `/payment_links/${idOf(link)}`)).to.include({ status: 'active' })
    })

    it('has no page without an amount, and none after it is deleted', async () => {
      const intent = { checkout_page: { description: 'Anything' } }
      const refused = await shop.ask('POST', '/access_tokens', { type: 'client', intent })
      expect([refused.status, refused.body.details]).to.deep.equal([
        400,
        { intent: { checkout_page: { amount: 'Required' } } },
      ])
      const made = await token({ amount: 3 })
      await shop.ok('DELETE', `/access_tokens/${idOf(made)}`)
      expect(await (await fetch(String(pageOf(made).url))).text()).to.include('This link is not active')
    })

    it('sends the payer back to the shop: after a payment, without a payment, and if it was already paid', async () => {
      const redirects = {
        success_url: 'https://shop.example/done?order=7',
        cancel_url: 'https://shop.example/cart',
        completed_url: 'https://shop.example/orders',
      }
      const made = await token({ amount: 4, order_number: 'A-7', redirects })
      expect(pageOf(made)).to.deep.include({ redirects, order_number: 'A-7' })
      const address = String(pageOf(made).url)
      const page = await fetch(address)
      const text = await page.text()
      expect(text).to.include('href="https://shop.example/cart"')
      expect(page.headers.get('content-security-policy')).to.include(
        "form-action 'self' https://shop.example;",
      )
      const hidden = [...text.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)]
      const form = new URLSearchParams(
        hidden.map(([, name = '', value = '']): [string, string] => [name, value]),
      )
      const typed = {
        account_holder: 'Ada Park',
        card_number: '4242424242424242',
        expiry: '12/39',
        card_code: '123',
        postal_code: '11238',
      }
      for (const [name, value] of Object.entries(typed)) form.set(name, value)
      const cookie = page.headers.getSetCookie().map((each) => each.split(';')[0] ?? '')
      const sent = await fetch(address, {
        method: 'POST',
        body: form,
        headers: { cookie: cookie.join('; ') },
        redirect: 'manual',
      })
      expect(sent.status).to.equal(303)
      const outcome = await fetch(new URL(sent.headers.get('location') ?? '', address), {
        redirect: 'manual',
      })
      const [payment] = valuesOf(await shop.ok('GET', '/transactions?order_number=A-7'))
      expect(outcome.headers.get('location')).to.equal(
        `https://shop.example/done?order=7&transaction_id=${Reflect.get(payment ?? {}, 'id')}`,
      )
      const later = await fetch(address, { redirect: 'manual' })
      expect([later.status, later.headers.get('location')]).to.deep.equal([
        303,
        'https://shop.example/orders',
      ])
    })
  })
})
