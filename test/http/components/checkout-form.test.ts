import { expect } from 'chai'
import { type RemoteSimulator, remoteSimulator } from '../../../src/gateways/simulator/remote-simulator.js'
import type { JsonObject } from '../../../src/schema/json.js'
import { idOf, listOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { processingAccount } from '../../support/examples.js'
import { type HttpService, httpService } from '../../support/http.js'
import { CARD, payerAt, wordsOf } from '../payer/payer.js'

const ORIGIN = 'https://shop.example'
const HOSTILE = `"><img src=x onerror=alert(1)>'</script><script>alert(1)</script>`

describe('a checkout form', () => {
  onDatabases((open) => {
    let gateway: RemoteSimulator
    let service: HttpService
    let secret: string
    let account: string
    before(async () => {
      gateway = remoteSimulator()
      service = await httpService(await open.migrated(), { gateway })
      open.atEnd(() => service.stop())
      secret = await service.key({ manage: true })
      account = idOf(await ok('POST', '/processing_accounts', processingAccount()))
    })

    const ok = async (method: string, path: string, body?: JsonObject): Promise<JsonObject> => {
      const answer = await service.ask(secret, method, path, body)
      expect(answer.status, JSON.stringify(answer.body)).to.equal(200)
      return answer.body
    }
    const keyOf = async (intent: JsonObject, more: JsonObject = {}) =>
      idOf(
        await ok('POST', '/access_tokens', { type: 'client', intent: { checkout_plugin: intent }, ...more }),
      )
    const addressOf = (key: string, more: Readonly<Record<string, string>> = {}) =>
      `/components/checkout?${new URLSearchParams({ key, origin: ORIGIN, nonce: '0123456789abcdef', ...more })}`
    const paid = async (order: string) =>
      listOf((await ok('GET', `/transactions?order_number=${order}`)).values)

    it('makes one payment when it is sent again during the first request', async () => {
      const payer = payerAt(service.address)
      const shown = await payer.get(addressOf(await keyOf({ amount: 12, order_number: 'A-1' })))
      gateway.script('answers_later')
      const first = payer.send(shown, CARD)
      const executed = gateway.performed.length + 1
      while (gateway.performed.length < executed) await new Promise((resolve) => setImmediate(resolve))
      const second = await payer.send(shown, CARD)
      expect([second.status, second.fields.get('key')]).to.deep.equal([503, shown.fields.get('key')])
      expect(wordsOf(second)).to.include('charged at most once')
      gateway.release()
      const outcome = wordsOf(await first)
      expect(outcome).to.include('Paid')
      expect(wordsOf(await payer.send(second, CARD))).to.equal(outcome)
      expect(await paid('A-1')).to.have.length(1)
    })

    it('makes no payment if its amount changes before it is sent, and shows the new amount', async () => {
      const link = idOf(await ok('POST', '/payment_links', { amount: 20, processing_id: account }))
      const payer = payerAt(service.address)
      const shown = await payer.get(addressOf(await keyOf({ payment_link_id: link })))
      await ok('PUT', `/payment_links/${link}`, { amount: 25 })
      const again = await payer.send(shown, CARD)
      expect(wordsOf(again)).to.include('25.00').and.not.include('marked')
      expect(listOf((await ok('GET', `/transactions?payment_link_id=${link}`)).values)).to.deep.equal([])
      await payer.send(again, CARD)
      const [payment] = listOf((await ok('GET', `/transactions?payment_link_id=${link}`)).values)
      expect(payment).to.include({ amount: 25, status: 'processed' })
    })

    it('shows that an invoice is paid when it is opened again', async () => {
      const customer = idOf(await ok('POST', '/customers', { name: 'Ada', email: 'ada@example.com' }))
      const items = [{ entry_type: 'charge', type: 'Lamp', amount: 30 }]
      const bill = {
        type: 'bill',
        customer_id: customer,
        processing_id: account,
        due_date: '2040-01-01',
        items,
      }
      const invoice_id = idOf(await ok('POST', '/invoices', bill))
      const address = addressOf(await keyOf({ invoice_id }))
      const payer = payerAt(service.address)
      await payer.send(await payer.get(address), CARD)
      const again = await payer.get(address)
      expect([again.status, again.fields.size]).to.deep.equal([200, 0])
      expect(wordsOf(again)).to.include('paid')
    })

    it('is refused if its key is deleted, expired, or of another kind', async () => {
      const key = await keyOf({ amount: 12, order_number: 'A-2' })
      const payer = payerAt(service.address)
      const shown = await payer.get(addressOf(key))
      await ok('DELETE', `/access_tokens/${key}`)
      expect((await payer.send(shown, CARD)).status).to.equal(401)
      expect((await payer.get(addressOf(key))).status).to.equal(401)
      expect((await payer.get(addressOf(secret))).status).to.equal(401)
      expect(await paid('A-2')).to.deep.equal([])
      for (const kind of ['payment_method_form', 'processing_account_form']) {
        const other = idOf(await ok('POST', '/access_tokens', { type: 'client', intent: { [kind]: {} } }))
        expect((await payer.get(addressOf(other, { amount: '5' }))).status).to.equal(403)
      }
    })

    it("cannot be sent from another site, or shown on a page outside of the key's origins", async () => {
      const key = await keyOf({ amount: 12, order_number: 'A-3' }, { origins: [ORIGIN] })
      const shown = await payerAt(service.address).get(addressOf(key))
      expect(shown.headers.get('content-security-policy')).to.include(`frame-ancestors ${ORIGIN}`)
      const foreign = payerAt(service.address, { origin: 'https://evil.example' })
      expect((await foreign.send(shown, CARD)).status).to.equal(403)
      expect(await paid('A-3')).to.deep.equal([])
      for (const origin of [
        'https://evil.example',
        'javascript:alert(1)',
        'data:text/html,x',
        `${ORIGIN}/`,
        '',
      ]) {
        const refused = await payerAt(service.address).get(addressOf(key, { origin }))
        expect([400, 403], origin).to.include(refused.status)
      }
    })

    it('shows hostile texts as plain text, and refuses script addresses', async () => {
      const hostile = await ok('POST', '/processing_accounts', processingAccount(HOSTILE))
      const key = await keyOf({ amount: 12, description: HOSTILE, processing_id: idOf(hostile) })
      // `payerAt` checks that every page is strict HTML.
      const shown = await payerAt(service.address).get(addressOf(key, { method: HOSTILE }))
      expect(shown.status).to.equal(200)
      expect(shown.text).to.not.include('<img')
      expect(wordsOf(shown)).to.include('alert(1)')
      for (const success_url of ['javascript:alert(1)', 'data:text/html,x']) {
        const intent = { checkout_page: { amount: 5, redirects: { success_url } } }
        const made = await service.ask(secret, 'POST', '/access_tokens', { type: 'client', intent })
        expect(made.status, success_url).to.equal(400)
      }
    })
  })
})
