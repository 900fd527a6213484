import { existsSync, readdirSync } from 'node:fs'
import { expect } from 'chai'
import type { Json, JsonObject } from '../../../src/schema/json.js'
import { openFolder } from '../../support/batch-file.js'
import { idOf, openCore, type TestCore } from '../../support/core.js'
import { onDatabases, type Place } from '../../support/databases.js'
import { processingAccount } from '../../support/examples.js'
import { type BatchCommands, batchCommands } from './batch-commands.js'
import { type Outcome, payctl } from './payctl.js'

const card = { type: 'card', card: { card_number: '4242424242424242', expiry: '12/39' } } as const

onDatabases((open) => {
  describe('the spending limit of a profile', () => {
    const folder = openFolder()
    let core: TestCore
    let place: Place
    let commands: BatchCommands
    let method: string
    let paid: JsonObject

    before(async () => {
      core = await openCore(open)
      place = core.place
      commands = batchCommands(place, folder)
      await core.ok('POST', '/processing_accounts', processingAccount('Shop'))
      method = idOf(await core.ok('POST', '/payment_methods', card))
      paid = await core.ok('POST', '/transactions', {
        type: 'payment',
        amount: 80,
        payment_method_id: method,
      })
      await profile('desk', 'pay')
      await profile('counter', 'refund,void,capture')
    })
    after(() => folder.remove())

    const profile = async (name: string, verbs: string) => {
      const words = ['profiles', 'add', name, '--max-amount', '10', '--verbs', verbs]
      expect((await payctl(place, words)).exitCode).to.equal(0)
    }
    const send = (name: string, verb: string, path: string, body: Json) =>
      payctl(place, ['api', verb, path, '--data', '-', '--profile', name], { input: JSON.stringify(body) })
    const rows = (as: string, ...bodies: JsonObject[]) => ({
      id: 'raw',
      as,
      rows: bodies.map((body, index) => ({ row: index + 2, body })),
    })
    const refused = ({ exitCode, stdout, stderr }: Outcome, reason: string) => {
      expect({ exitCode, stdout }).to.deep.equal({ exitCode: 4, stdout: '' })
      expect(stderr).to.include(reason)
    }
    const stored = async () => (await commands.json('transactions', 'list', '--limit', '1000')).values

    it('refuses a batch of a forbidden verb before its start', async () => {
      folder.write('credits.csv', `amount,payment_method_id\n5.00,${method}\n`)
      const before = await stored()
      refused(
        await commands.run('credits.csv', 'credit', '--profile', 'desk', '--yes'),
        'The profile desk does not allow credit; it allows pay',
      )
      expect(await stored()).to.deep.equal(before)
      expect((await commands.json('batch', 'results')).values).to.deep.equal([])
    })

    it('refuses to collect an invoice of more than the limit', async () => {
      const items = [{ entry_type: 'charge', amount: 20 }]
      const customer_id = idOf(await core.ok('POST', '/customers', { name: 'Ada' }))
      const invoice = idOf(await core.ok('POST', '/invoices', { customer_id, items }))
      refused(
        await payctl(place, ['invoices', 'collect', invoice, '--profile', 'desk', '--yes']),
        'The profile desk allows at most 10.00, and this is 20.00',
      )
    })

    it('refuses a whole batch with one amount above the limit before a row runs or a file is written', async () => {
      const small = Array.from({ length: 250 }, (_, index) => `1.00,${method},small ${index}\n`).join('')
      folder.write('many.csv', `amount,payment_method_id,description\n${small}10.01,${method},large\n`)
      const before = await stored()
      const files = readdirSync(folder.path('.'))
      refused(
        await commands.run('many.csv', 'payment', '--profile', 'desk', '--yes'),
        'The profile desk allows at most 10.00, and this is 10.01',
      )
      expect(await stored()).to.deep.equal(before)
      expect(readdirSync(folder.path('.'))).to.deep.equal(files)
      expect((await commands.json('batch', 'results')).values).to.deep.equal([])
    })

    it('allows a batch whose rows are all within the limit', async () => {
      folder.write('few.csv', `amount,payment_method_id\n10.00,${method}\n`)
      const { exitCode } = await commands.run('few.csv', 'payment', '--profile', 'desk', '--yes')
      expect(exitCode).to.equal(0)
      expect(existsSync(folder.path('few.results.csv'))).to.equal(true)
    })

    it('counts a refund without an amount as the whole payment', async () => {
      for (const name of [String(paid.id), String(paid.ref_number)]) {
        folder.write('back.csv', `payment\n${name}\n`)
        refused(
          await commands.run('back.csv', 'refund', '--profile', 'counter', '--yes'),
          'and this is 80.00',
        )
        refused(await commands.run('back.csv', 'void', '--profile', 'counter', '--yes'), 'and this is 80.00')
      }
    })

    it('applies to raw rows, nested payments and updates by query as to commands', async () => {
      const before = await stored()
      const payment = { type: 'payment', amount: 50, payment_method_id: method }
      refused(
        await send('desk', 'POST', '/admin/batches/rows', rows('credit', { amount: 7 })),
        'does not allow credit',
      )
      refused(
        await send('desk', 'POST', '/admin/batches/rows', rows('payment', { amount: 1 }, { amount: 11 })),
        'and this is 11.00',
      )
      refused(
        await send('desk', 'POST', '/admin/batches/rows', rows('invoice', { items: [{ payment }] })),
        'and this is 50.00',
      )
      refused(
        await send('desk', 'POST', '/admin/batches/rows', rows('line_item', { payment })),
        'and this is 50.00',
      )
      refused(
        await send('counter', 'PUT', '/transactions?mode=query&type=payment', { status: 'voided' }),
        'and this is 80.00',
      )
      refused(
        await send('counter', 'PUT', '/transactions', [{ id: String(paid.id), status: 'voided', amount: 1 }]),
        'and this is 80.00',
      )
      refused(
        await send('desk', 'PUT', '/admin/gateway_routes', { default: 'any' }),
        'does not allow redirect',
      )
      expect(await stored()).to.deep.equal(before)
    })

    it('ignores custom attributes that only look like payments', async () => {
      const body = { name: 'Ada', attrs: { payment: { type: 'payment', amount: 500 } } }
      expect((await send('desk', 'POST', '/customers', body)).exitCode).to.equal(0)
    })

    it('cannot be evaded by a row whose type differs from its batch', async () => {
      await core.ok('POST', '/admin/batches', { id: 'raw', as: 'payment', content: 'x', rows: 1 })
      const row = { type: 'credit', amount: 5, payment_method_id: method }
      const { stdout } = await send('desk', 'POST', '/admin/batches/rows', rows('payment', row))
      expect(stdout).to.include('type: Must be payment')
    })
  })

  describe('the confirmation of a batch in live', () => {
    const folder = openFolder()
    let commands: BatchCommands
    before(async () => {
      commands = batchCommands((await openCore(open)).place, folder)
    })
    after(() => folder.remove())

    it('is required for payments nested in other objects, and for no other nested objects', async () => {
      folder.write('people.ndjson', '{"name":"Ada"}\n')
      expect((await commands.run('people.ndjson', 'customer', '--env', 'live')).exitCode).to.equal(0)
      folder.write(
        'owed.ndjson',
        '{"items":[{"entry_type":"payment","payment":{"type":"payment","amount":5}}]}\n',
      )
      const { exitCode, stderr } = await commands.run('owed.ndjson', 'invoice', '--env', 'live', '--yes')
      expect(exitCode).to.equal(2)
      expect(stderr).to.include('Money would move in the live environment: add --confirm live')
    })
  })
})
