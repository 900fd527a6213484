import { expect } from 'chai'
import type { Json, JsonObject } from '../../../src/schema/json.js'
import {
  countOf,
  idOf,
  listOf,
  objectOf,
  openCore,
  type SendOptions,
  type TestCore,
} from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { card, makeProcessing } from '../../support/examples.js'

onDatabases((open) => {
  describe('rows of a batch', () => {
    let core: TestCore
    let processing: string
    before(async () => {
      core = await openCore(open)
      processing = await makeProcessing(core)
    })

    const cardPayment = (amount: number, number?: string): JsonObject => ({
      amount,
      processing_id: processing,
      payment_method: card(number),
    })
    const pay = async (amount: number, more: JsonObject = {}) =>
      idOf(await core.ok('POST', '/transactions', { type: 'payment', ...cardPayment(amount), ...more }))
    const begin = (id: string, as: string, more: JsonObject = {}) =>
      core.send('POST', '/admin/batches', { id, as, content: 'one', rows: 1, ...more })
    const run = async (body: JsonObject, options: SendOptions = {}): Promise<JsonObject[]> =>
      listOf((await core.ok('POST', '/admin/batches/rows', body, options)).rows).map(objectOf)
    const customers = () => countOf(core, '/customers')
    const rowsOf = (...bodies: Json[]) => bodies.map((body, index) => ({ row: index + 2, body }))

    it('run once, however often and in whatever order they are sent', async () => {
      await begin('customers', 'customer')
      const before = await customers()
      const rows = rowsOf({ name: 'Ada', email: 'ada@example.com' }, { name: 'Ben' })
      const first = await run({ id: 'customers', as: 'customer', rows })
      expect(first.map(({ row, status, before }) => [row, status, before])).to.deep.equal([
        [2, 'done', false],
        [3, 'done', false],
      ])
      const turned = rowsOf({ name: 'Ben' }, { email: 'ada@example.com', name: 'Ada' })
      const again = await run({ id: 'customers', as: 'customer', rows: turned })
      expect(again.map(({ id, before }) => [id, before])).to.deep.equal(
        first.map(({ id }) => [id, true]).reverse(),
      )
      expect(await customers()).to.equal(before + 2)
      const listed = await core.ok('GET', '/admin/batches/rows', undefined, { query: 'id=customers' })
      expect(listOf(listed.rows)).to.deep.equal(first.map(({ before: _, ...row }) => row))
    })

    it('run as often as the file repeats them', async () => {
      await begin('twins', 'customer')
      const before = await customers()
      const twins = [1, 2].map((occurrence) => ({ row: occurrence + 1, occurrence, body: { name: 'Twin' } }))
      await run({ id: 'twins', as: 'customer', rows: twins })
      await run({ id: 'twins', as: 'customer', rows: twins })
      expect(await customers()).to.equal(before + 2)
      const uncounted = twins.map(({ row, body }) => ({ row, body }))
      const { status } = await core.send('POST', '/admin/batches/rows', {
        id: 'twins',
        as: 'customer',
        rows: uncounted,
      })
      expect(status).to.equal(400)
    })

    it('run once if two clients send them at the same time', async () => {
      await begin('race', 'payment')
      const rows = Array.from({ length: 20 }, (_, index) => ({
        row: index + 2,
        body: cardPayment(1 + index),
      }))
      const before = await countOf(core, '/transactions')
      const both = await Promise.all([1, 2].map(() => run({ id: 'race', as: 'payment', rows })))
      expect(both[0]?.map(({ id }) => id)).to.deep.equal(both[1]?.map(({ id }) => id))
      expect(await countOf(core, '/transactions')).to.equal(before + 20)
    })

    it('that are refused write no object, name the column in the error, and store no card number', async () => {
      await begin('refunds', 'refund')
      const payment = await pay(10)
      const outcomes = await run({
        id: 'refunds',
        as: 'refund',
        rows: [
          ...rowsOf({ payment, amount: 4 }, { payment, amount: 17 }, { payment: 'txn_0' }, {}),
          { row: 9, body: ['x'], error: 'amount: Expected an amount, but received: 4242 4242 4242 4242' },
        ],
      })
      // The balance left is 10.00 or 6.00, because rows of a batch run at the same time if the database
      // allows it.
      const told = (error: unknown) =>
        String(error).replace(/ refundable balance of (10|6)\.00$/, ' the refundable balance')
      expect(
        outcomes.map(({ row, status, error }) => [row, status, error === null ? null : told(error)]),
      ).to.deep.equal([
        [2, 'done', null],
        [3, 'failed', 'amount: Exceeds the refundable balance'],
        [4, 'failed', 'payment: Not found'],
        [5, 'failed', 'payment: Required'],
        [9, 'failed', 'amount: Expected an amount, but received: xxxxxxxxxxxx4242'],
      ])
    })

    it('without an amount refund the whole payment, or void it', async () => {
      await begin('whole', 'refund')
      const payment = await pay(12)
      const [refund] = await run({ id: 'whole', as: 'refund', rows: rowsOf({ payment }) })
      expect(await core.ok('GET', `/transactions/${refund?.id}`)).to.include({ type: 'refund', amount: 12 })
      await begin('voids', 'void')
      const held = await pay(5, { status: 'authorized' })
      const voids = await run({
        id: 'voids',
        as: 'void',
        rows: rowsOf({ payment: held }, { payment: 'txn_1' }),
      })
      expect(voids.map(({ status, error }) => [status, error])).to.deep.equal([
        ['done', null],
        ['failed', 'payment: Not found'],
      ])
      expect(await core.ok('GET', `/transactions/${held}`)).to.include({ status: 'voided' })
    })

    it('that are declined are stored as declined and not run again', async () => {
      await begin('declined', 'payment')
      const rows = rowsOf(cardPayment(10, '4111111111119903'))
      const [first] = await run({ id: 'declined', as: 'payment', rows })
      const [again] = await run({ id: 'declined', as: 'payment', rows })
      expect(first).to.include({ status: 'declined', before: false })
      expect(again).to.deep.equal({ ...first, before: true })
      expect(await core.ok('GET', `/transactions/${first?.id}`)).to.include({ status: 'declined' })
    })

    it('are checked in a dry run without effect, even before the batch begins', async () => {
      const before = await customers()
      const rows = rowsOf({ name: 'Ada' }, { nome: 'Ben' })
      const outcomes = await run({ id: 'never', as: 'customer', rows }, { dryRun: true })
      expect(outcomes.map(({ status, error }) => [status, error])).to.deep.equal([
        ['done', null],
        ['failed', 'name: Required; nome: Unknown attribute'],
      ])
      expect(await customers()).to.equal(before)
      const { status } = await core.send('POST', '/admin/batches/rows', { id: 'never', as: 'customer', rows })
      expect(status).to.equal(400)
    })

    describe('identified by a column', () => {
      const numbered = (row: number, key: string, body: JsonObject): JsonObject => ({
        row,
        key,
        body: { order_number: key, ...body },
      })
      const go = (id: string, ...rows: JsonObject[]) => run({ id, as: 'payment', rows })

      it('run once, even if other columns were edited, and report the old and new values', async () => {
        await begin('keyed', 'payment', { key: 'order_number' })
        const first = numbered(2, 'k1', { ...cardPayment(31.5), description: 'rent' })
        const [done] = await go('keyed', first, numbered(3, 'k2', cardPayment(2)))
        expect(await go('keyed', { ...first, row: 7 })).to.deep.equal([{ ...done, row: 7, before: true }])
        const before = await countOf(core, '/transactions')
        const edited = [
          numbered(2, 'k1', { ...cardPayment(32.5, '4012888888881881'), attrs: { room: 7 } }),
          numbered(3, 'k2', cardPayment(2, '4222222222224242')),
        ]
        const [one, two] = await go('keyed', ...edited)
        expect(one).to.include({ status: 'edited', id: done?.id, before: true })
        expect(String(one?.error).split('; ')).to.deep.equal([
          'amount: 31.50 when it was done, 32.50 now',
          'attrs.room: nothing when it was done, 7 now',
          'description: rent when it was done, nothing now',
          'payment_method.card.card_number: xxxxxxxxxxxx4242 when it was done, xxxxxxxxxxxx1881 now',
        ])
        expect(two?.error).to.equal(
          'payment_method.card.card_number: xxxxxxxxxxxx4242 when it was done, another xxxxxxxxxxxx4242 now',
        )
        expect(await countOf(core, '/transactions')).to.equal(before)
      })

      it('store neither card numbers nor one-time tokens', async () => {
        await begin('kept', 'payment', { key: 'order_number' })
        const body = {
          amount: 1,
          processing_id: processing,
          payment_method: {
            type: 'card',
            account_holder: 'Ada',
            card: { card_number: '4242424242424242', expiry: '12/79', card_code: '739' },
          },
          card_code: '739',
          wrong: '4242424242424242',
        }
        await go('kept', numbered(2, 'x', body))
        const kept = await core.environment.core.read(({ tx }) =>
          tx.db.selectFrom('batch_rows').select('content').where('batch_id', '=', 'kept').execute(),
        )
        const text = JSON.stringify(kept)
        expect(text).to.contain('Ada').and.contain('xxxxxxxxxxxx4242').and.contain('wrong')
        // Ids and digests may contain the code's digits by chance.
        expect(text).not.to.match(/42424242424|\b739\b|card_code/)
      })

      it('stay failed or unreadable even if the file is corrected', async () => {
        await begin('bad', 'payment', { key: 'order_number' })
        const unread = { row: 3, key: 'b', body: ['x', 'b'], error: 'amount: Expected an amount' }
        await go('bad', numbered(2, 'a', cardPayment(-1)), unread)
        expect((await go('bad', unread))[0]).to.include({ status: 'failed', before: true })
        const right = await go('bad', numbered(2, 'a', cardPayment(1)), numbered(3, 'b', cardPayment(1)))
        expect(right.map(({ status, error }) => [status, error])).to.deep.equal([
          ['edited', 'amount: -1.00 when it failed, 1.00 now'],
          ['edited', 'It could not be read when it failed'],
        ])
        const [lost] = await go('bad', { ...unread, row: 2, key: 'a' })
        expect(lost?.error).to.equal('It cannot be read now, and was read when it failed')
      })

      it('need a value for the key column, which the batch stores', async () => {
        await begin('by key', 'customer', { key: 'email' })
        await begin('by content', 'customer')
        const send = (id: string, more: JsonObject) =>
          core.send('POST', '/admin/batches/rows', {
            id,
            as: 'customer',
            rows: [{ row: 2, body: { name: 'Ada' }, ...more }],
          })
        expect((await send('by key', {})).status).to.equal(400)
        expect((await send('by content', { key: 'a' })).status).to.equal(400)
        for (const [id, more] of [
          ['by key', {}],
          ['by key', { key: 'name' }],
          ['by content', { key: 'email' }],
        ] as const) {
          const { status, body } = await begin(id, 'customer', { ...more, continue: true })
          expect([status, body.error_type]).to.deep.equal([409, 'Conflict'])
        }
      })
    })

    it("are counted from the batch's records", async () => {
      await begin('counted', 'customer')
      await run({ id: 'counted', as: 'customer', rows: rowsOf({ name: 'Ada' }, {}) })
      const rows: Json[] = [{ body: { name: 'Ada' } }, { body: { name: 'Ada' }, occurrence: 2 }, { body: {} }]
      const known = await core.ok('POST', '/admin/batches/known-rows', {
        id: 'counted',
        as: 'customer',
        rows,
      })
      expect(known).to.include({ done: 1, failed: 1, declined: 0, waiting: 0, unknown: 1 })
      for (const other of [{ as: 'payment' }, { id: 'never' }])
        expect(
          (
            await core.send('POST', '/admin/batches/known-rows', {
              id: 'counted',
              as: 'customer',
              rows,
              ...other,
            })
          ).status,
        ).to.be.oneOf([400, 409])
      expect((await begin('counted', 'customer')).body).to.include({ edited: false })
      expect((await begin('counted', 'customer', { content: 'two' })).body).to.include({ edited: true })
    })

    describe('of one batch', () => {
      const shownBatch = async (id: string) => {
        const { batches } = await core.ok('GET', '/admin/batches', undefined, { query: `id=${id}` })
        return objectOf(listOf(batches)[0])
      }

      it('finish the batch, which then accepts rows of another file only with a flag', async () => {
        await begin('ends', 'customer')
        await run({ id: 'ends', as: 'customer', rows: rowsOf({ name: 'Ada' }, {}) })
        expect(await shownBatch('ends')).to.include({
          status: 'running',
          done: 1,
          failed: 1,
          finished_at: null,
        })
        const finished = await core.ok('PUT', '/admin/batches', { id: 'ends' })
        expect(finished).to.include({ id: 'ends', status: 'finished', done: 1, failed: 1, waiting: 0 })
        expect((await begin('ends', 'customer')).body).to.include({ status: 'finished' })
        const other = await begin('ends', 'customer', { content: 'two' })
        expect([other.status, other.body.error_type]).to.deep.equal([409, 'Conflict'])
        const more = await begin('ends', 'customer', { content: 'two', continue: true })
        expect(more.body).to.include({ status: 'running', done: 1 })
      })

      it('must all be of one kind', async () => {
        await begin('kinds', 'customer')
        expect((await begin('kinds', 'payment')).status).to.equal(409)
        const wrong = { id: 'kinds', as: 'payment', rows: rowsOf({ name: 'x' }) }
        expect((await core.send('POST', '/admin/batches/rows', wrong)).status).to.equal(409)
        const { status, body } = await begin('unknown', 'api_key')
        expect(status).to.equal(400)
        expect(String(objectOf(body.details).as)).to.match(
          /^Must be one of: payment, refund, credit, void, account, /,
        )
      })

      it('are listed in portions', async () => {
        await begin('pages', 'customer')
        await run({ id: 'pages', as: 'customer', rows: rowsOf(...['A', 'B', 'C'].map((name) => ({ name }))) })
        const seen: Json[] = []
        let after = ''
        do {
          const page = await core.ok('GET', '/admin/batches/rows', undefined, {
            query: `id=pages&limit=2${after && `&after=${after}`}`,
          })
          seen.push(...listOf(page.rows).map((row) => objectOf(row).row ?? null))
          after = String(page.after ?? '')
        } while (after !== '')
        expect(seen).to.deep.equal([2, 3, 4])
      })
    })
  })
})
