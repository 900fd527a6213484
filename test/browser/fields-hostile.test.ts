import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { idOf } from '../support/core.js'
import { onSqlite } from '../support/databases.js'
import { chromium } from './chromium.js'
import { CARD, type FieldsWorld, fieldsWorld, fillCard, frameOf, seen } from './fields-world.js'

/** Records all messages and keys that a page receives, and replaces what frames could use to send. A transparent input lies over all. */
const SPY = `window.caught = []
const keep = (...all) => caught.push(JSON.stringify(all))
addEventListener('message', ({ data }) => keep(data), true)
for (const type of ['keydown', 'keyup', 'keypress', 'beforeinput', 'input', 'paste', 'copy', 'change'])
  addEventListener(type, (event) => keep(type, event.key, event.data), true)
window.postMessage = (...sent) => keep('postMessage', ...sent)
MessagePort.prototype.postMessage = (...sent) => keep('port', ...sent)
window.fetch = (...sent) => keep('fetch', String(sent[0]))
XMLHttpRequest.prototype.send = (sent) => keep('xhr', sent)
const cover = document.createElement('input')
cover.style.cssText = 'position: fixed; inset: 0; width: 100%; height: 100%; opacity: 0; pointer-events: none'
document.body.append(cover)
HTMLIFrameElement.prototype.focus = new Proxy(HTMLIFrameElement.prototype.focus, { apply(f, self) { keep('focus'); return Reflect.apply(f, self, []) } })
`

/** A page that wants the numbers, or a payment that its key does not allow. */
if (chromium !== undefined) {
  describe('secure fields in a hostile page', () => {
    onSqlite((open) => {
      let world: FieldsWorld
      before(async () => {
        world = await fieldsWorld(open)
      })
      after(() => world.close())
      beforeEach(() => world.renew())

      const caught = async (page: Page): Promise<string> => await page.evaluate('JSON.stringify(caught)')
      /** Digits of the card in any form in which a message could hold them. */
      const expectNoDigits = (text: string) => {
        for (const part of ['4242', '4 2 4', '04/39', '0439', '"4"', '"2"']) expect(text).to.not.include(part)
        expect(text).to.not.match(/\b123\b/)
      }

      it('learns no digit from messages, keys, replaced functions or a layer above, while typing and paying', async () => {
        world.form.code = SPY
        const page = await world.visit()
        const frame = await frameOf(page, 'card')
        await frame.click('[name=card_number]')
        await page.keyboard.type(CARD.card_number)
        await page.keyboard.press('Tab')
        await page.keyboard.type('0439')
        await page.keyboard.press('Tab')
        await page.keyboard.type(CARD.card_code)
        await page.keyboard.press('Enter')
        const { transaction_id: id } = await seen(page, 'processed')
        const text = await caught(page)
        expect(text).to.include('change')
        expectNoDigits(text.replaceAll(String(id), '').replace(/[0-9a-f]{32}/g, ''))
      })

      it('reads no frame, neither its document nor what the controller reads', async () => {
        const page = await world.visit()
        await fillCard(page)
        const tried: string[] = await page.evaluate(`(() => {
          const found = []
          for (let index = 0; index < frames.length; index++)
            for (const reach of [(w) => w.document, (w) => w.payctlField, (w) => w.location.href, (w) => w.eval('1'), (w) => w.payctlField.read()])
              try { reach(frames[index]); found.push('reached ' + reach) } catch (error) { found.push(error.name) }
          return found
        })()`)
        expect(tried.length).to.be.at.least(10)
        expect([...new Set(tried)]).to.deep.equal(['SecurityError'])
      })

      it('gets no value by messages of its own making', async () => {
        world.form.code = SPY
        const page = await world.visit()
        await fillCard(page)
        await page.evaluate(`(() => {
          const group = form.group
          for (const type of ['read', 'values', 'take', 'start', 'focus', 'answer', 'ready', 'mark', 'submit'])
            for (let index = 0; index < frames.length; index++)
              frames[index].postMessage({ payctl: group, type, path: 'transactions', names: ['nothing'], body: {} }, '*')
        })()`)
        await page.click('button')
        const { transaction_id: id } = await seen(page, 'processed')
        expectNoDigits((await caught(page)).replaceAll(String(id), '').replace(/[0-9a-f]{32}/g, ''))
      })

      it('cannot send what was typed to another account by a controller with another key', async () => {
        const other = await world.clientKey({ origins: null })
        const before = (await world.payments()).length
        const page = await world.visit()
        await fillCard(page)
        const answer = await page.evaluate(`(async () => {
          const frame = document.createElement('iframe')
          const address = new URL('fields/controller', Payload.api_url)
          address.search = new URLSearchParams({ key: ${JSON.stringify(other)}, group: form.group })
          frame.src = address
          const message = (type) => new Promise((resolve) => addEventListener('message', (event) => {
            if (event.source === frame.contentWindow && event.data.type === type) resolve(event.data)
          }))
          const ready = message('ready')
          document.body.append(frame)
          await ready
          const answer = message('answer')
          frame.contentWindow.postMessage({ payctl: form.group, type: 'submit', id: '1', path: 'transactions', names: ['card'], body: { amount: 1 } }, '*')
          return (await answer).error.error_description
        })()`)
        expect(answer).to.equal('The fields of the form are not loaded')
        expect((await world.payments()).length).to.equal(before)
      })

      it('loads no field where its origin is not one of the key, and pays nothing', async () => {
        const before = (await world.payments()).length
        world.form.key = await world.clientKey({ origins: ['https://shop.example'] })
        const page = await world.visit()
        const data = await page.evaluate('form.submit().catch(({ data }) => data.error_type)')
        expect(data).to.equal('Forbidden')
        expect(page.frames().filter((frame) => frame.url().includes('/fields/'))).to.deep.equal([])
        const refused = await page.evaluate(
          `fetch(Payload.api_url + 'transactions', { method: 'POST' }).catch(() => 'no')`,
        )
        expect(refused).to.equal('no')
        expect((await world.payments()).length).to.equal(before)
        world.complaints.length = 0
      })

      it('loads no field where a page of another origin has the page of the shop in a frame', async () => {
        const page = await world.visit()
        await page.goto(`${world.origin.replace('localhost', '127.0.0.1')}/around`)
        const inner = page.frame({ url: `${world.origin}/` })
        expect(await inner?.evaluate('form.submit().catch(({ data }) => data.error_type)')).to.equal(
          'Forbidden',
        )
        world.complaints.length = 0
      })

      it('makes no payment beyond the intent of the key, whatever the page says', async () => {
        const before = (await world.payments()).length
        world.form.key = await world.clientKey({
          intent: { payment_form: { payment: { amount: 10, order_number: 'A-1' } } },
        })
        world.form.options = `preventDefaultOnSubmit: true, payment: { order_number: 'B-2' }`
        const page = await world.visit()
        await fillCard(page)
        await page.click('button')
        expect(await seen(page, 'error')).to.include({ error_type: 'Forbidden' })
        expect((await world.payments()).length).to.equal(before)
        const made = await page.evaluate(`((form.params.payment = {}), form.submit())`)
        expect(JSON.stringify(made)).to.include('txn_')
        const [payment] = await world.payments()
        expect(payment).to.include({ amount: 10, order_number: 'A-1' })
        expect(idOf(payment ?? {})).to.be.a('string')
      })
    })
  })
}
