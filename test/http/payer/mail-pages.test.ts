import { expect } from 'chai'
import type { JsonObject } from '../../../src/schema/json.js'
import { bill, payWith, type Shop } from '../../domain/billing/invoices.js'
import { advance, openBilling, START } from '../../domain/billing/schedules/schedules.js'
import { type TestCore, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { type HttpService, httpService } from '../../support/http.js'

describe('pages of mail', () => {
  onDatabases((open) => {
    let core: TestCore
    let shop: Shop
    let service: HttpService
    before(async () => {
      shop = await openBilling(open)
      core = shop.core
      service = await httpService(core.place, { clock: { now: () => START } })
      open.atEnd(() => service.stop())
      await core.ok('POST', '/admin/mail_servers', { from_address: 'billing@example.com', language: 'es' })
    })

    const messages = async () => {
      const query = 'order_by=id&fields=*,unsubscribe_url'
      for (;;) {
        await core.environment.sendMail(new AbortController().signal)
        const found = valuesOf(await core.ok('GET', '/admin/mail_messages', undefined, { query }))
        // The service may still be writing a message.
        if (!found.some(({ status }) => status === 'queued')) return found
      }
    }
    const reminders = async () => (await messages()).filter(({ kind }) => kind === 'reminder')
    const here = (url: JsonObject[string] | undefined) => {
      const { pathname, search } = new URL(String(url))
      return `${service.address}${pathname}${search}`
    }

    it('show a message at its address, with hostile texts as plain text', async () => {
      await payWith(shop, 10, [], { description: '<script>alert(1)</script>' })
      const [message] = await messages()
      const answer = await fetch(here(message?.url))
      expect(answer.status).to.equal(200)
      expect(answer.headers.get('content-security-policy')).to.include("default-src 'none'")
      const page = await answer.text()
      expect(page).to.include('Recibo de su pago a Park Books').and.to.include('ada@example.com')
      expect(page).to.include('&#60;script&#62;').and.to.not.include('<script>alert')
    })

    it('answer 404 for a guessed address', async () => {
      const [message] = await messages()
      for (const page of ['mail', 'unsubscribe'])
        expect(
          (await fetch(`${service.address}/${page}/test/${message?.id}?signature=guessed`)).status,
        ).to.equal(404)
      // The address of the message does not unsubscribe.
      const other = here(message?.url).replace('/mail/', '/unsubscribe/')
      expect((await fetch(other, { method: 'POST' })).status).to.equal(404)
    })

    it('end reminders for a reader who unsubscribes, but no other mail', async () => {
      await bill(shop, [20], { due_date: '2026-11-27' })
      await advance(core, '3d')
      const [first] = await reminders()
      const address = here(first?.unsubscribe_url)
      const asked = await fetch(address)
      expect(asked.status).to.equal(200)
      expect(await asked.text()).to.include('No recibir más recordatorios')
      await bill(shop, [30], { due_date: '2026-12-20' })
      // Reading the page does not unsubscribe, and programs that follow links often send HEAD.
      expect((await fetch(address, { method: 'HEAD' })).status).to.equal(200)
      await advance(core, '23d')
      expect(await reminders()).to.have.length(2)

      const done = await fetch(address, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'List-Unsubscribe=One-Click',
      })
      expect(done.status).to.equal(200)
      expect((await fetch(address, { method: 'POST' })).status).to.equal(200)
      const parts = new FormData()
      parts.set('List-Unsubscribe', 'One-Click')
      expect((await fetch(address, { method: 'POST', body: parts })).status).to.equal(200)
      await bill(shop, [40], { due_date: '2027-01-20' })
      await advance(core, '31d')
      expect(await reminders()).to.have.length(2)
      expect((await messages()).filter(({ kind }) => kind === 'invoice')).to.have.length(3)
    })
  })
})
