import { expect } from 'chai'
import type { JsonObject } from '../../../src/schema/json.js'
import { countOf, idOf, openCore, type TestCore } from '../../support/core.js'
import { onEachDatabase } from '../../support/databases.js'
import { card, makeCustomer, makeProcessing } from '../../support/examples.js'

onEachDatabase((open) => {
  describe('writes that are tried or repeated', () => {
    let core: TestCore
    before(async () => {
      core = await openCore(open)
    })

    const count = (path: string) => countOf(core, path)

    describe('dry run', () => {
      it('answers what would happen and writes nothing', async () => {
        const before = await count('/customers')
        const made = await core.ok('POST', '/customers', { name: 'Nobody' }, { dryRun: true })
        expect(made.name).to.equal('Nobody')
        expect((await core.send('GET', `/customers/${idOf(made)}`)).status).to.equal(404)
        expect(await count('/customers')).to.equal(before)
      })
    })

    describe('idempotency keys', () => {
      it('answer the first answer again, once written', async () => {
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

      it('are forgotten by a request that failed', async () => {
        const options = { idempotencyKey: 'three' }
        expect((await core.send('POST', '/customers', {}, options)).status).to.equal(400)
        expect((await core.send('POST', '/customers', { name: 'Ada' }, options)).status).to.equal(200)
      })

      it('belong to a path and a method', async () => {
        const options = { idempotencyKey: 'four' }
        const id = idOf(await core.ok('POST', '/customers', { name: 'Ada' }, options))
        expect((await core.send('PUT', `/customers/${id}`, { name: 'Ben' }, options)).body.name).to.equal(
          'Ben',
        )
      })

      it('answer to the byte what was answered first, whatever becomes of what it shows', async () => {
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

      it('let one of many at once through', async () => {
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
