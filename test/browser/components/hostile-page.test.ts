import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { listOf } from '../../support/core.js'
import { onSqlite } from '../../support/databases.js'
import { chromium, patient } from '../chromium.js'
import { type ComponentWorld, componentWorld, digitsIn, eventOf, typeCard } from './component-world.js'
import { HOSTILE_SCRIPT } from './hostile-script.js'
import { shopSite } from './shop-site.js'

/** Tests secure inputs on a page with hostile scripts, and on pages of others that copy the shop's key. */
if (chromium !== undefined) {
  describe('secure inputs on a hostile page @rest', () => {
    onSqlite((open) => {
      let world: ComponentWorld

      before(async () => {
        world = await componentWorld(open)
      })

      const keyFor = (amount: number) =>
        world.clientKey({
          payment_form: { payment: { amount, processing_id: world.account, order_number: 'A-1' } },
        })
      const visit = async (amount: number, { more = '', html = '', policy = {} } = {}) =>
        await world.visit({
          first: HOSTILE_SCRIPT,
          body: `<form pl-form="payment"><input type="hidden" pl-input="amount" value="${amount}">
            <div pl-input="card"></div><button>Pay</button></form>${html}`,
          script: `Payload('${await keyFor(amount)}')
            window.form = new Payload.Form({ form: document.querySelector('form'), autosubmit: false })
            for (const name of FORM) form.on(name, note)
            ${more}`,
          ...policy,
        })
      const submitted = async (page: Page): Promise<string> =>
        String(
          await page.evaluate(
            'form.submit().then(JSON.stringify, ({ data }) => JSON.stringify(data ?? null))',
          ),
        )

      it('expose no digit to scripts that read frames, listen to all events and replace browser functions', async () => {
        const page = await visit(60.01)
        await typeCard(page)
        const read = listOf(JSON.parse(String(await page.evaluate('readFrames()'))))
        expect(read).to.have.length(2)
        for (const answers of read)
          for (const answer of listOf(answers)) expect(answer).to.be.oneOf(['SecurityError', 'null'])
        await page.click('button')
        await eventOf(page, 'processed')
        const stolen = String(await page.evaluate('stolen.join("\\n")'))
        // The messages of the client script show that the hostile script does capture text.
        expect(stolen).to.include('ready').and.include('processed')
        expect(digitsIn(stolen)).to.deep.equal([])
        expect(digitsIn(String(await page.evaluate('seen()')))).to.deep.equal([])
        expect(digitsIn(world.site.received.join('\n'))).to.deep.equal([])
      })

      it('make no payment after messages from the page, because no card was typed', async () => {
        const page = await visit(60.02, {
          more: `form.nothing = Promise.all([...Array(window.length).keys()].flatMap((index) =>
            ['start', 'submit', 'enter', 'read', 'clear', 'focus'].map((type) => {
              const address = document.querySelectorAll('iframe')[index].src
              const group = new URL(address).searchParams.get('group')
              window[index].postMessage({ payctl: group, type, id: '1', path: 'transactions', names: [], body:
                { amount: 60.02, payment_method: { type: 'card', card: {} } } }, '*')
            })))`,
        })
        expect(JSON.parse(await submitted(page))).to.include({ error_type: 'InvalidAttributes' })
        expect(await world.payments(60.02)).to.deep.equal([])
      })

      it('make only payments that the key allows, whatever else the page sends with a typed card', async () => {
        const page = await visit(60.03)
        await typeCard(page)
        for (const lie of [
          { amount: 1 },
          { order_number: 'B-1' },
          { type: 'credit' },
          { payment_method_id: 'pm_0V8c' },
          { customer_id: 'acct_0V8c' },
          { processing_id: 'acct_0V8c' },
        ]) {
          await page.evaluate(`form.params.payment = ${JSON.stringify(lie)};
            document.querySelector('[pl-input=amount]').value = ${lie.amount ?? 60.03}`)
          expect(JSON.parse(await submitted(page)), JSON.stringify(lie)).to.include({
            error_type: 'Forbidden',
          })
        }
        const { body } = await world.service.ask(world.key, 'GET', '/transactions?order_number=B-1')
        expect(body.values).to.deep.equal([])
        expect(await world.payments(60.03)).to.deep.equal([])
        expect(await world.payments(1)).to.deep.equal([])
      })

      it('accept no input while another element covers them', async () => {
        const page = await visit(60.04, {
          html: '<input id="over" aria-label="Over">',
          more: `const sheet = new CSSStyleSheet()
            sheet.replaceSync('#over { position: fixed; inset: 0; opacity: 0.01; width: 100vw; height: 100vh }')
            document.adoptedStyleSheets = [sheet]`,
        })
        const place = await page.locator('[pl-input=card]').boundingBox()
        await page.mouse.click((place?.x ?? 0) + 20, (place?.y ?? 0) + 5)
        await page.keyboard.type('4242')
        expect(await page.inputValue('#over')).to.equal('4242')
        expect(JSON.parse(await submitted(page))).to.include({ error_type: 'InvalidAttributes' })
        expect(await world.payments(60.04)).to.deep.equal([])
      })

      it('ignore messages of a foreign frame, even if it knows all values of the page', async () => {
        const evil = createServer((_request, response) => {
          response.setHeader('content-type', 'text/html')
          response.end(`<!doctype html><script>
            addEventListener('message', ({ data }) => {
              const tried = [...Array(parent.length).keys()].map((index) => {
                try {
                  parent[index].postMessage({ payctl: data.group, type: 'submit', id: '1', path: 'transactions',
                    names: ['card'], body: { amount: 60.05 } }, '*')
                  return String(parent[index].payctlField)
                } catch (error) { return error.name }
              })
              for (const type of ['ready', 'sending', 'change', 'enter'])
                parent.postMessage({ payctl: data.group, type, attempt: 'forged', brand: 'forged' }, '*')
              parent.postMessage({ tried }, '*')
            })</script>`)
        })
        evil.listen(0, '127.0.0.1')
        await once(evil, 'listening')
        const address = evil.address()
        const port = typeof address === 'object' ? address?.port : undefined
        const page = await visit(60.05, {
          html: `<iframe id="evil" src="http://localhost:${port}/"></iframe>`,
          policy: { policy: '' },
        })
        await typeCard(page)
        const tried = await page.evaluate(`new Promise((resolve) => {
          addEventListener('message', ({ data }) => { if (data.tried) resolve(JSON.stringify(data.tried)) })
          const { src } = document.querySelector('[pl-input] iframe')
          document.querySelector('#evil').contentWindow.postMessage({ group: new URL(src).searchParams.get('group') }, '*')
        })`)
        const answers = listOf(JSON.parse(String(tried)))
        expect(answers.filter((answer) => answer === 'SecurityError')).to.have.length(2)
        expect(await page.evaluate('JSON.stringify([events, { ...sessionStorage }])')).to.not.include(
          'forged',
        )
        // The page submits the form after the forged messages; only this makes a payment.
        await page.click('button')
        await eventOf(page, 'processed')
        expect(await world.payments(60.05)).to.have.length(1)
        evil.closeAllConnections()
        evil.close()
      })

      it('pass no typed value to a controller frame with another key', async () => {
        const other = await world.clientKey({ payment_form: {} }, { origins: null })
        const page = await visit(60.08)
        await typeCard(page)
        const answer = await page.evaluate(`(async () => {
          const frame = document.createElement('iframe')
          const address = new URL('fields/controller', Payload.api_url)
          address.search = new URLSearchParams({ key: '${other}', group: form.group })
          frame.src = address
          const message = (type) => new Promise((resolve) => addEventListener('message', ({ source, data }) => {
            if (source === frame.contentWindow && data.type === type) resolve(data)
          }))
          const ready = message('ready')
          document.body.append(frame)
          await ready
          const answer = message('answer')
          const sent = { payctl: form.group, type: 'submit', id: '1', path: 'transactions', names: ['card'], body: { amount: 60.08 } }
          frame.contentWindow.postMessage(sent, '*')
          return (await answer).error.error_description
        })()`)
        expect(answer).to.equal('The fields of the form are not loaded')
        expect(await world.payments(60.08)).to.deep.equal([])
      })

      it('do not load if a page of another origin shows the page of the shop in a frame', async () => {
        const around = await shopSite()
        around.page = { ...around.page, body: `<iframe src="${world.site.origin}/"></iframe>` }
        const page = await visit(60.09)
        await page.goto(around.origin)
        const inner = page.frame({ url: `${world.site.origin}/` })
        const refused = await inner?.evaluate('form.submit().catch(({ data }) => data.error_type)')
        expect(refused).to.equal('Forbidden')
        await page.context().close()
        await around.close()
      })

      it('make no payment with the key of another origin, even if a second key in the address loads the frames', async () => {
        const [bound, free] = [
          await keyFor(60.11),
          await world.clientKey({ payment_form: {} }, { origins: null }),
        ]
        const copied = await shopSite()
        copied.page = {
          ...copied.page,
          script: `window.answered = (async () => {
            const group = 'a'
            const open = (name) => new Promise((resolve) => {
              const frame = document.createElement('iframe')
              frame.src = '${world.service.address}/fields/' + name + '?key=${bound}&?key=${free}&group=' + group
              addEventListener('message', ({ source, data }) => {
                if (source === frame.contentWindow && data.type === 'ready') resolve(frame.contentWindow)
              })
              document.body.append(frame)
            })
            const card = await open('card')
            const controller = await open('controller')
            const post = (target, type, more) => target.postMessage({ payctl: group, type, ...more }, '*')
            post(card, 'start')
            return (body) => new Promise((resolve) => {
              addEventListener('message', ({ data: { type, ...answer } }) => {
                if (type === 'sending') post(controller, 'kept')
                if (type === 'answer') resolve(JSON.stringify(answer))
              })
              post(controller, 'submit', { id: '1', path: 'transactions', names: ['card'], body })
            })
          })()`,
        }
        const page = await patient(await world.browser.newContext()).newPage()
        await page.goto(copied.origin)
        await page.evaluate('answered.then(() => undefined)')
        const frame = page.frames().find((each) => each.url().includes('/fields/card'))
        for (const [name, value] of Object.entries({
          card_number: '4242424242424242',
          expiry: '12/39',
          card_code: '123',
        }))
          await frame?.fill(`[name=${name}]`, value)
        await page.evaluate(
          `answered.then((submit) => submit({ amount: 60.11, processing_id: '${world.account}' }))`,
        )
        // The payment was made with the second key, so it does not pay the order of the first.
        expect((await world.payments(60.11)).map(({ order_number: order }) => order)).to.deep.equal([null])
        await page.context().close()
        await copied.close()
      })

      it('do not load on a page without an origin (sandboxed or at a data: address), with any key', async () => {
        const key = await world.clientKey({ payment_form: {} }, { origins: null })
        const inner = `<script src="${world.service.address}/Payload.js"></script>
          <form pl-form="payment"><div pl-input="card"></div></form>
          <script>Payload('${key}')
            new Payload.Form({ form: document.querySelector('form'), autosubmit: false }).submit()
              .catch(({ data }) => parent.postMessage({ refused: data.error_type }, '*'))</script>`
        const page = await visit(60.07, { policy: { policy: '' } })
        for (const place of [
          { sandbox: 'allow-scripts', srcdoc: inner },
          { src: `data:text/html,${encodeURIComponent(inner)}` },
        ]) {
          const refused = await page.evaluate(`new Promise((resolve) => {
            const frame = Object.assign(document.createElement('iframe'), ${JSON.stringify(place)})
            addEventListener('message', ({ source, data }) => {
              if (source === frame.contentWindow) resolve(data.refused)
            })
            document.body.append(frame)
          })`)
          expect(refused).to.equal('Forbidden')
        }
      })

      it('do not load on an origin that the key does not allow, and make no payment there', async () => {
        const copied = await shopSite()
        const clientKey = await keyFor(60.06)
        const context = patient(await world.browser.newContext())
        const page = await context.newPage()
        copied.page = {
          first: '',
          policy: '',
          head: `<script src="${world.service.address}/Payload.js"></script>`,
          body: `<form pl-form="payment"><input type="hidden" pl-input="amount" value="60.06">
            <div pl-input="card"></div></form>`,
          script: `Payload('${clientKey}')
            window.form = new Payload.Form({ form: document.querySelector('form'), autosubmit: false })`,
        }
        await page.goto(copied.origin)
        expect(JSON.parse(await submitted(page))).to.include({ error_type: 'Forbidden' })
        const status = await page.evaluate(`fetch('${world.service.address}/transactions', { method: 'POST',
          headers: { authorization: 'Bearer ${clientKey}', 'content-type': 'application/json' },
          body: JSON.stringify({ type: 'payment', amount: 60.06, payment_method: { type: 'card', card:
            { card_number: '4242424242424242', expiry: '12/39', card_code: '123' } } }) }).then(({ status }) => status)`)
        expect(status).to.equal(403)
        expect(await world.payments(60.06)).to.deep.equal([])
        await context.close()
        await copied.close()
      })
    })
  })
}
