import { expect } from 'chai'
import type { JsonObject } from '../../../src/schema/json.js'
import { bill, openShop, type Shop } from '../../domain/billing/invoices.js'
import { idOf, openCore, type TestCore, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { card } from '../../support/examples.js'
import { httpService, nowhere } from '../../support/http.js'
import { CARD, payerAt } from '../payer/payer.js'
import { type OperatorVisit, operatorVisit, type Visited } from './operators-visit.js'

/** Text that would break a page without escaping. */
const HOSTILE = `"><script>alert(1)</script>' onload=alert(1) {{7*7}} \u202e=HYPERLINK("http://evil")`

onDatabases((open) => {
  describe('a write in the console', () => {
    let core: TestCore
    let shop: Shop
    let ada: OperatorVisit

    before(async () => {
      core = await openCore(open, { delivery: { http: nowhere } })
      shop = await openShop(core)
      ada = operatorVisit(core.app, { role: 'owner' })
    })

    /** Fills in a form up to its preview. */
    async function preview(path: string, fields: Readonly<Record<string, string>> = {}): Promise<Visited> {
      const form = await ada.get(path)
      expect(form.status, form.text).to.equal(200)
      return await ada.send(path, { ...form.fields, ...fields, 'write.step': 'preview' })
    }

    /** Confirms a preview. */
    async function confirm(path: string, { fields }: Visited): Promise<Visited> {
      return await ada.send(path, { ...fields, 'write.step': 'do' })
    }

    const does = async (path: string, fields: Readonly<Record<string, string>> = {}) =>
      await confirm(path, await preview(path, fields))

    const lastSegment = ({ location }: Visited) => location.split('/').at(-1) ?? ''

    it('creates a payment link by form and preview, and then shows the link', async () => {
      const shown = await preview('links/new', { amount: '12.5', description: 'A book' })
      expect(shown.status).to.equal(200)
      expect(shown.text).to.include('$12.50').and.include('A book').and.include('What will happen')
      expect(valuesOf(await core.ok('GET', '/payment_links'))).to.deep.equal([])
      const made = await confirm('links/new', shown)
      expect(made.status).to.equal(303)
      const link = await core.ok('GET', `/payment_links/${lastSegment(made)}`)
      expect(link).to.include({ amount: 12.5, description: 'A book', type: 'one_time', status: 'active' })
      expect((await ada.get(made.location)).text).to.include(`/pay/${idOf(link)}`)
    })

    it('creates one object, however often its preview is sent', async () => {
      const shown = await preview('links/new', { amount: '3', description: 'Once' })
      const [first, second] = await Promise.all([confirm('links/new', shown), confirm('links/new', shown)])
      expect([first.status, second.status]).to.deep.equal([303, 303])
      const query = 'description=Once'
      expect(valuesOf(await core.ok('GET', '/payment_links', undefined, { query }))).to.have.length(1)
    })

    it('shows a refusal beside the field, and keeps the typed values', async () => {
      const refused = await preview('links/new', { amount: 'much', description: 'A book' })
      expect(refused.status).to.equal(400)
      expect(refused.text).to.match(/id="field-amount-error">Must be valid number/)
      expect(refused.fields).to.include({ amount: 'much', description: 'A book' })
    })

    it('deactivates a link, shows the effect, and then offers to activate it', async () => {
      const link = await core.ok('POST', '/payment_links', { amount: 5, description: 'Tea' })
      const path = `links/${idOf(link)}`
      expect((await ada.get(path)).text).to.include(`/console/test/${path}/deactivate"`)
      const shown = await ada.get(`${path}/deactivate`)
      expect(shown.text).to.match(/active<\/span> → <span[^>]*>inactive/)
      expect((await confirm(`${path}/deactivate`, shown)).location).to.equal(`/console/test/${path}`)
      expect(await core.ok('GET', `/payment_${path}`)).to.include({ status: 'inactive' })
      const { text } = await ada.get(path)
      expect(text).to.include(`${path}/activate"`).and.not.include(`${path}/deactivate"`)
      expect((await ada.get(`${path}/deactivate`)).status).to.equal(409)
    })

    it('is refused if its object changed after the preview, and shows the current state', async () => {
      const link = await core.ok('POST', '/payment_links', { amount: 5, description: 'Tea' })
      const path = `links/${idOf(link)}/change`
      const shown = await preview(path, { amount: '6' })
      await core.ok('PUT', `/payment_links/${idOf(link)}`, { amount: 7 })
      const refused = await confirm(path, shown)
      expect(refused.status).to.equal(409)
      expect(refused.text).to.include('It has changed since').and.include('$7.00 → $6.00')
      expect((await confirm(path, refused)).status).to.equal(303)
      expect(await core.ok('GET', `/payment_links/${idOf(link)}`)).to.include({ amount: 6 })
    })

    it('creates a payment link for an invoice and for a customer', async () => {
      const invoice = await bill(shop, [12.5, 30])
      const ofInvoice = await does(`invoices/${idOf(invoice)}/link`)
      expect(await core.ok('GET', `/payment_links/${lastSegment(ofInvoice)}`)).to.include({
        invoice_id: idOf(invoice),
        amount: 42.5,
      })
      const ofCustomer = await does(`customers/${shop.customer}/link`, { amount: '9' })
      expect(await core.ok('GET', `/payment_links/${lastSegment(ofCustomer)}`)).to.include({
        customer_id: shop.customer,
        amount: 9,
      })
      const page = await ada.get(`customers/${shop.customer}`)
      expect(page.text).to.include('Visa ending in 4242').and.include(lastSegment(ofCustomer).slice(-4))
    })

    it('makes a link whose page saves a card of the customer', async () => {
      const made = await does(`customers/${shop.customer}/card-link`, { description: 'Your new card' })
      const link = await core.ok('GET', `/payment_links/${lastSegment(made)}`)
      expect(link).to.include({ type: 'method', customer_id: shop.customer, status: 'active' })
      const service = await httpService(core.place)
      const payer = payerAt(service.address)
      const saved = await payer.send(await payer.get(`/pay/${idOf(link)}`), CARD)
      // Its background jobs would take deliveries from the tests that follow.
      await service.stop()
      expect(saved.text).to.include('This is saved')
      expect((await ada.get(`links/${idOf(link)}`)).text).to.include('completed')
    })

    it('collects an invoice at once, and leads to the payment', async () => {
      const invoice = await bill(shop, [12.5])
      const shown = await ada.get(`invoices/${idOf(invoice)}/collect`)
      expect(shown.text).to.include('$12.50').and.include('Visa ending in 4242')
      const done = await confirm(`invoices/${idOf(invoice)}/collect`, shown)
      expect(done.location).to.match(/^\/console\/test\/transactions\/txn_/)
      expect(await core.ok('GET', `/invoices/${idOf(invoice)}`)).to.include({ status: 'paid' })
      expect((await ada.get(`invoices/${idOf(invoice)}`)).text).to.not.include('Collect now')
    })

    it('stops the automatic payments of an invoice, and resumes them', async () => {
      const tenant = await openShop(core, 'Corner House')
      const declining = card('4111 1111 1111 9904')
      const owner = { account_id: tenant.customer, default_payment_method: true }
      await core.ok('POST', '/payment_methods', { ...declining, ...owner })
      const schedule = await core.ok('POST', '/billing_schedules', {
        customer_id: tenant.customer,
        processing_id: tenant.processing,
        recurring_frequency: 'annually',
        charges: [{ amount: 20, description: 'Reading room' }],
      })
      await core.ok('POST', '/admin/billing/run', {})
      const query = `billing_schedule_id=${idOf(schedule)}`
      const [invoice = {}] = valuesOf(await core.ok('GET', '/invoices', undefined, { query }))
      const path = `invoices/${idOf(invoice)}`
      const collectOn = async () =>
        (await core.ok('GET', `/${path}`, undefined, { query: 'fields=collect_on' })).collect_on
      expect(await collectOn()).to.be.a('string')
      expect((await ada.get(path)).text)
        .to.include(`${path}/stop"`)
        .and.not.include(`${path}/resume"`)
      expect((await confirm(`${path}/stop`, await ada.get(`${path}/stop`))).status).to.equal(303)
      expect(await collectOn()).to.equal(null)
      expect((await ada.get(path)).text)
        .to.include(`${path}/resume"`)
        .and.not.include(`${path}/stop"`)
      expect((await confirm(`${path}/resume`, await ada.get(`${path}/resume`))).status).to.equal(303)
      expect(await collectOn()).to.be.a('string')
      const page = await ada.get(`schedules/${idOf(schedule)}`)
      expect(page.text).to.include('Reading room').and.include(String(invoice.number))
    })

    it('shows an API key once, in the answer to its form and nowhere else', async () => {
      const shown = await preview('settings/keys/new', {
        description: 'The shop',
        'processing_ids.0': shop.processing,
      })
      const made = await confirm('settings/keys/new', shown)
      expect(made.status).to.equal(200)
      expect(made.location).to.equal('')
      const [, secret = ''] = /<code[^>]*>(test_secret_key_\w+)<\/code>/.exec(made.text) ?? []
      expect(await core.app.authenticate(secret)).to.be.an('object')
      const [id = ''] = /settings\/keys\/(key_\w+)/.exec(made.text)?.slice(1) ?? []
      expect(await core.ok('GET', `/admin/keys/${id}`)).to.deep.include({
        description: 'The shop',
        manage: false,
        processing_ids: [shop.processing],
      })
      expect((await ada.get(`settings/keys/${id}`)).text).to.not.include(secret)
      const again = await confirm('settings/keys/new', shown)
      expect(again.status).to.equal(409)
      expect(again.text).to.include('held a secret and is not repeated').and.not.include(secret)
      const query = 'description=The shop'
      expect(valuesOf(await core.ok('GET', '/admin/keys', undefined, { query }))).to.have.length(1)
    })

    it('rotates and revokes an API key', async () => {
      const key = await core.ok('POST', '/admin/keys', { description: 'Till' })
      const path = `settings/keys/${idOf(key)}`
      const rotated = await does(`${path}/rotate`, { overlap: '60' })
      const [, secret = ''] = /<code[^>]*>(test_secret_key_\w+)<\/code>/.exec(rotated.text) ?? []
      expect(await core.app.authenticate(secret)).to.be.an('object')
      expect(await core.app.authenticate(String(key.secret_key))).to.be.an('object')
      const revoked = await confirm(`${path}/revoke`, await ada.get(`${path}/revoke`))
      expect(revoked.status).to.equal(303)
      expect(await core.app.authenticate(String(key.secret_key))).to.equal(undefined)
      expect((await ada.get(path)).text)
        .to.include('revoked')
        .and.not.include(`${path}/rotate"`)
    })

    it('creates a token that acts for an operator', async () => {
      const operator = await core.ok('POST', '/admin/operators', {
        name: 'Ben Okafor',
        email: 'ben@example.com',
        role: 'viewer',
      })
      const made = await does(`settings/operators/${idOf(operator)}/token`, { description: 'Laptop' })
      const [, secret = ''] = /<code[^>]*>(test_secret_key_\w+)<\/code>/.exec(made.text) ?? []
      expect(await core.app.authenticate(secret)).to.have.nested.property('principal.role', 'viewer')
    })

    it('connects a gateway without a preview, and never shows its credentials', async () => {
      const form = await ada.get('settings/gateways/new')
      const secret = 'test_secret_key_of_another'
      const sent = {
        ...form.fields,
        kind: 'peer',
        name: 'up',
        base_url: 'https://pay.example.com',
        'credentials.secret_key': secret,
      }
      const refused = await ada.send('settings/gateways/new', { ...sent, base_url: 'ftp://pay' })
      expect(refused.status).to.equal(400)
      expect(refused.text).to.not.include(secret)
      const done = await ada.send('settings/gateways/new', {
        ...sent,
        'write.key': refused.fields['write.key'] ?? '',
      })
      expect(done.status, done.text).to.equal(303)
      const page = await ada.get(done.location)
      expect(page.text).to.include('pay.example.com').and.not.include(secret)
      expect((await ada.get('settings/gateways')).text).to.include('>up<')
      const paused = await confirm(`${done.location}/pause`, await ada.get(`${done.location}/pause`))
      expect(paused.status).to.equal(303)
      expect((await ada.get(done.location)).text).to.include('paused')
    })

    it('routes payments to a gateway chosen by name', async () => {
      const shown = await preview('settings/gateways/routes', { card: 'up' })
      expect((await confirm('settings/gateways/routes', shown)).status).to.equal(200)
      expect((await ada.get('settings/gateways')).text).to.match(/<td>card<\/td>/)
      await core.ok('PUT', '/admin/gateway_routes', { card: null })
    })

    it('pauses a webhook, and repeats a delivery', async () => {
      const made = await does('webhooks/new', { trigger: 'payment', url: 'https://shop.example.com/hooks' })
      expect(made.text).to.match(/<code[^>]*>whsec_/)
      const [id = ''] = /webhooks\/(wh_\w+)/.exec(made.text)?.slice(1) ?? []
      await core.ok('POST', `/invoices/${idOf(await bill(shop, [5]))}/collect`)
      expect(await core.environment.deliver(new AbortController().signal)).to.equal(1)
      const page = await ada.get(`webhooks/${id}`)
      const [again = ''] = /webhooks\/\w+\/logs\/[\w-]+\/send/.exec(page.text) ?? []
      const sent = await confirm(again, await ada.get(again))
      expect(sent.status, sent.text).to.equal(200)
      expect(sent.text).to.include('Deliveries')
      await confirm(`webhooks/${id}/pause`, await ada.get(`webhooks/${id}/pause`))
      expect(await core.ok('GET', `/webhooks/${id}`)).to.include({ status: 'disabled' })
    })

    it('is neither shown to a lower role nor accepted from it', async () => {
      const viewer = operatorVisit(core.app, { role: 'viewer', id: 'oper_viewer' })
      const link = await core.ok('POST', '/payment_links', { amount: 5, description: 'Tea' })
      const { text } = await viewer.get(`links/${idOf(link)}`)
      expect(text).to.include('Tea').and.not.include('Deactivate')
      expect((await viewer.get('links')).text).to.not.include('Make a link')
      expect((await viewer.get('links/new')).status).to.equal(403)
      expect((await viewer.send('links/new', { 'write.step': 'do', amount: '5' })).status).to.equal(403)
      const cashier = operatorVisit(core.app, { role: 'cashier', id: 'oper_cashier' })
      expect((await cashier.get('settings/keys')).text).to.not.include('Make a key')
      expect((await cashier.get('settings/keys/new')).status).to.equal(403)
    })

    it('names the roles that may do it, the current role, and who assigns roles', async () => {
      const viewer = operatorVisit(core.app, { role: 'viewer', id: 'oper_viewer' })
      const ada = { name: '<i>Ada</i> Park', email: 'ada.park@example.com', role: 'owner' }
      const owner = idOf(await core.ok('POST', '/admin/operators', ada))
      const { text } = await viewer.get('links/new')
      const words = text.slice(text.indexOf('<main')).replace(/<[^>]+>/g, '')
      expect(words).to.contain(
        'Operators with the role cashier, manager or owner may do this. Yours is viewer.',
      )
      expect(words).to.contain('An owner gives roles, in the settings of operators: ask')
      expect(words).to.contain('&#60;i&#62;Ada&#60;/i&#62; Park')
      expect((await viewer.get('settings/keys/new')).text).to.contain(
        'with the role <strong>owner</strong> may',
      )
      await core.ok('DELETE', `/admin/operators/${owner}`)
    })

    it('shows hostile texts as plain text, in every field', async () => {
      const made: JsonObject[] = []
      for (const [path, fields] of [
        ['links/new', { amount: '5', description: HOSTILE }],
        ['settings/keys/new', { description: HOSTILE }],
        ['webhooks/new', { trigger: 'payment', url: 'https://shop.example.com/', description: HOSTILE }],
        [
          'settings/operators/new',
          { name: HOSTILE, email: 'eve@example.com', role: 'cashier', limit_each: '5' },
        ],
      ] as const) {
        const shown = await preview(path, fields)
        expect(shown.text, path).to.not.include('<script>alert').and.not.include('\u202e')
        const done = await confirm(path, shown)
        made.push({ path, status: done.status })
        const page = done.status === 303 ? await ada.get(done.location) : done
        expect(page.text, path).to.not.include('<script>alert').and.not.include('\u202e')
        expect((await ada.get(path.replace('/new', ''))).text).to.not.include('<script>alert')
      }
      expect(made.map(({ status }) => status)).to.deep.equal([303, 200, 200, 303])
      for (const path of ['links/new', 'settings/keys/new', 'settings/gateways/new', 'webhooks/new']) {
        const { fields } = await ada.get(path)
        const hostile = Object.fromEntries(
          Object.keys(fields)
            .filter((name) => name !== 'write.step')
            .map((name) => [name, HOSTILE]),
        )
        const refused = await ada.send(path, { ...hostile, 'write.step': 'preview' })
        expect(refused.text, path).to.not.include('<script>alert')
      }
    })
  })
})
