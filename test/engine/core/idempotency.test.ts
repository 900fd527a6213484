import { expect } from 'chai'
import type { JsonObject } from '../../../src/schema/json.js'
import type { Method } from '../../../src/schema/resource.js'
import { countOf, idOf, openCore, type TestCore } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { card, makeCustomer, makeProcessing } from '../../support/examples.js'

onDatabases('locks', (open) => {
  describe('repeated and trial writes', () => {
    let core: TestCore
    before(async () => {
      core = await openCore(open)
    })

    const count = (path: string) => countOf(core, path)

    describe('dry run', () => {
      it('answers with the expected result and writes no row', async () => {
        const before = await count('/customers')
        const made = await core.ok('POST', '/customers', { name: 'Nobody' }, { dryRun: true })
        expect(made.name).to.equal('Nobody')
        expect((await core.send('GET', `/customers/${idOf(made)}`)).status).to.equal(404)
        expect(await count('/customers')).to.equal(before)
      })
    })

    describe('idempotency keys', () => {
      it('repeat the first answer after the first write', async () => {
        const before = await count('/customers')
        const options = { idempotencyKey: 'one' }
        const first = await core.send('POST', '/customers', { name: 'Once' }, options)
        const again = await core.send('POST', '/customers', { name: 'Once' }, options)
        expect(again).to.deep.equal({ ...first, headers: { 'Idempotent-Replay': 'true' } })
        expect(await count('/customers')).to.equal(before + 1)
      })

      it('refuse another request, even an invalid one', async () => {
        await core.ok('POST', '/customers', { name: 'Once' }, { idempotencyKey: 'two' })
        const others: JsonObject[] = [{ name: 'Twice' }, { nome: 'x' }]
        for (const body of others) {
          const { status, body: answer } = await core.send('POST', '/customers', body, {
            idempotencyKey: 'two',
          })
          expect([status, answer.error_type]).to.deep.equal([422, 'IdempotencyMismatch'])
        }
      })

      it('match the same request in another order or syntax, but not a request that is stored differently', async () => {
        const processing_id = await makeProcessing(core)
        const details: JsonObject = { postal_code: '11238', city: 'Brooklyn' }
        const pay = async (body: JsonObject, options = {}) =>
          await core.send('POST', '/transactions', body, { idempotencyKey: 'order-1', ...options })
        const first = await pay({
          type: 'payment',
          amount: 10,
          processing_id,
          order_number: '10',
          attrs: { a: 1, b: { c: 2, d: 3 } },
          payment_method: { ...card('4242 4242 4242 4242'), billing_address: details },
        })
        expect(first.status).to.equal(200)
        const same: JsonObject = {
          payment_method: {
            billing_address: { city: 'Brooklyn', postal_code: '11238' },
            card: { expiry: '12/2039', card_code: ' 123', card_number: '4242-4242-4242-4242' },
            type: 'card',
          },
          attrs: { b: { d: 3, c: 2 }, a: 1 },
          order_number: '10',
          processing_id,
          amount: ' 10.00',
          type: 'payment',
        }
        const again = await pay(same)
        expect(again).to.deep.include({ status: 200, headers: { 'Idempotent-Replay': 'true' } })
        expect(again.body.id).to.equal(first.body.id)
        const others: JsonObject[] = [
          { amount: 10.01 },
          { order_number: '10.00' },
          { order_number: '10 ' },
          { attrs: { a: 1, b: { c: 2, d: '3' } } },
          { payment_method: card('5555555555554444') },
          { amount: 'ten' },
        ]
        for (const other of others)
          expect((await pay({ ...same, ...other })).status, JSON.stringify(other)).to.equal(422)
        expect((await pay(same, { query: 'fields=id' })).status).to.equal(422)
      })

      it('distinguish a list of one object from the object', async () => {
        const options = { idempotencyKey: 'list' }
        await core.ok('POST', '/customers', [{ name: 'Ada' }], options)
        expect((await core.send('POST', '/customers', { name: 'Ada' }, options)).status).to.equal(422)
        const listed: JsonObject = { values: [{ name: 'Ada' }], object: 'list' }
        const again = await core.send('POST', '/customers', listed, options)
        expect(again.headers).to.deep.equal({ 'Idempotent-Replay': 'true' })
      })

      it('match the same admin operation in another order or syntax', async () => {
        const replayed = async (method: Method, path: string, bodies: readonly JsonObject[], key: string) => {
          const answers = []
          for (const body of bodies)
            answers.push(await core.send(method, path, body, { idempotencyKey: key }))
          return answers.map(({ status, headers }) => [status, headers['Idempotent-Replay']])
        }
        const expected = [
          [200, undefined],
          [200, 'true'],
          [422, undefined],
          [422, undefined],
        ]
        const soon = new Date(Math.ceil(Date.now() / 86_400_000) * 86_400_000 + 86_400_000).toISOString()
        const clock: JsonObject[] = [
          { to: soon },
          { to: `${soon.slice(0, 10)} 00:00:00 UTC` },
          { by: '1d' },
          { bye: 1 },
        ]
        expect(await replayed('POST', '/admin/clock', clock, 'clock')).to.deep.equal(expected)
        const message = 'Back soon'
        const maintenance: JsonObject[] = [
          { enabled: false, message },
          { message, enabled: 'false' },
          { enabled: false },
          { enabled: 'no' },
        ]
        expect(await replayed('PUT', '/admin/maintenance', maintenance, 'away')).to.deep.equal(expected)
      })

      it('can be used again after a failed request', async () => {
        const options = { idempotencyKey: 'three' }
        expect((await core.send('POST', '/customers', {}, options)).status).to.equal(400)
        expect((await core.send('POST', '/customers', { name: 'Ada' }, options)).status).to.equal(200)
      })

      it('apply to one path and one method', async () => {
        const options = { idempotencyKey: 'four' }
        const id = idOf(await core.ok('POST', '/customers', { name: 'Ada' }, options))
        expect((await core.send('PUT', `/customers/${id}`, { name: 'Ben' }, options)).body.name).to.equal(
          'Ben',
        )
      })

      it('repeat the first answer byte for byte, even if its objects changed', async () => {
        const processing_id = await makeProcessing(core)
        const customer = await makeCustomer(core, processing_id)
        const method = idOf(
          await core.ok('POST', '/payment_methods', { ...card(), account_id: customer, keep_active: true }),
        )
        const body: JsonObject = {
          type: 'payment',
          status: 'authorized',
          amount: 10,
          processing_id,
          payment_method_id: method,
          attrs: { order: 'é' },
        }
        const options = { idempotencyKey: 'eight' }
        const first = await core.send('POST', '/transactions', body, options)
        const path = `/transactions/${String(first.body.id)}`
        const expectSame = async () => {
          const again = await core.send('POST', '/transactions', body, options)
          expect(again.text).to.equal(JSON.stringify(first.body))
          expect(again.body).to.deep.equal(first.body)
        }
        await expectSame()
        await core.ok('PUT', path, { status: 'processed' })
        await expectSame()
        await core.ok('PUT', path, { attrs: { order: 2 } })
        await expectSame()
        await core.ok('POST', '/transactions', {
          type: 'refund',
          amount: 3,
          ledger: [{ assoc_transaction_id: String(first.body.id) }],
        })
        await core.ok('DELETE', `/payment_methods/${method}`)
        await expectSame()
      })

      it('let one of many simultaneous requests through', async () => {
        const before = await count('/customers')
        const options = { idempotencyKey: 'five' }
        const answers = await Promise.all(
          Array.from({ length: 20 }, () => core.send('POST', '/customers', { name: 'Race' }, options)),
        )
        expect(new Set(answers.map(({ body }) => body.id)).size).to.equal(1)
        expect(answers.map(({ status }) => status)).to.deep.equal(Array(20).fill(200))
        expect(await count('/customers')).to.equal(before + 1)
      })
    })
  })
})
