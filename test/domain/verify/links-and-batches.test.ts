import { expect } from 'chai'
import { remoteSimulator } from '../../../src/gateways/simulator/remote-simulator.js'
import { idOf, listOf, objectOf, openCore, type TestCore } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { card, makeProcessing, pay } from '../../support/examples.js'
import { asOutsider } from '../../support/outsider.js'
import { story } from './story.js'

describe('verify of links, batches, receipts, events and stored answers', () => {
  onDatabases((open) => {
    let core: TestCore
    let processing: string
    let time: { now: number }
    const gateway = remoteSimulator()
    beforeEach(async () => {
      time = { now: Date.now() }
      core = await openCore(open, { gateway, clock: { now: () => time.now } })
      processing = await makeProcessing(core)
    })

    /** Findings by their rule; for findings without a rule, by the seals. */
    const findings = async () =>
      listOf((await core.ok('GET', '/admin/verify')).findings)
        .map(objectOf)
        .map(({ check, id }) => `${check} ${id}`)

    const link = async (more = {}) =>
      idOf(
        await core.ok('POST', '/payment_links', {
          amount: 10,
          description: 'A book',
          processing_id: processing,
          ...more,
        }),
      )
    const payThrough = (id: string, more = {}) =>
      core.send('POST', '/transactions', {
        type: 'payment',
        amount: 10,
        payment_link_id: id,
        payment_method: card(),
        ...more,
      })

    describe('a payment link', () => {
      it('is valid in any state of its payments', async () => {
        const once = await link()
        const again = await link({ type: 'reusable' })
        const declined = await link()
        await payThrough(once)
        await payThrough(again)
        await payThrough(again, { status: 'authorized' })
        await payThrough(declined, { payment_method: card('4111111111119903') })
        const held = await link()
        const { body } = await payThrough(held, { status: 'authorized' })
        await core.ok('PUT', `/transactions/${idOf(body)}`, { status: 'voided' })
        const unknown = await link()
        gateway.script('times_out_after')
        await payThrough(unknown)
        const deleted = await link()
        gateway.script('times_out_after')
        await payThrough(deleted)
        await core.ok('DELETE', `/payment_links/${deleted}`)
        expect(await findings()).to.deep.equal([])
        await core.environment.reconcile(-1)
        expect(await findings()).to.deep.equal([])
      })

      for (const [what, change] of Object.entries({
        'taken without a payment': 'taken = 1',
        'completed without a payment': "status = 'completed'",
        'expired without an end': "status = 'expired'",
      }))
        it(`that is ${what} is reported`, async () => {
          const id = await link()
          await asOutsider(core.place, `update payment_links set ${change} where id = '${id}'`)
          expect(await findings()).to.include(`link ${id}`)
        })

      for (const [what, change] of Object.entries({
        'not completed': "status = 'active'",
        'paid again and again': "type = 'reusable'",
        taken: 'taken = 1',
      }))
        it(`that was paid and is ${what} is reported`, async () => {
          const id = await link()
          await payThrough(id)
          await asOutsider(core.place, `update payment_links set ${change} where id = '${id}'`)
          expect(await findings()).to.include(`link ${id}`)
        })

      it('paid twice is reported, and so is a link that omits its pending payment', async () => {
        const one = await link()
        const other = await link()
        await payThrough(one)
        await payThrough(other)
        await asOutsider(
          core.place,
          `update transactions set payment_link_id = '${one}' where payment_link_id = '${other}'`,
        )
        const open = await link()
        gateway.script('times_out_after')
        await payThrough(open)
        await asOutsider(core.place, `update payment_links set taken = 0 where id = '${open}'`)
        expect(await findings()).to.include.members([`link ${one}`, `link ${other}`, `link ${open}`])
        await core.environment.reconcile(-1)
      })
    })

    describe('a batch', () => {
      const begin = (id: string, rows: number, more = {}) =>
        core.ok('POST', '/admin/batches', { id, as: 'payment', content: 'one', rows, ...more })
      const finish = (id: string) => core.send('PUT', '/admin/batches', { id })
      const run = (id: string, ...amounts: number[]) =>
        core.ok('POST', '/admin/batches/rows', {
          id,
          as: 'payment',
          rows: amounts.map((amount, n) => ({
            row: n + 2,
            body: { amount, processing_id: processing, payment_method: card() },
          })),
        })

      it('that was deleted is reported, even if another has the same first word in its name', async () => {
        for (const id of ['rent', 'rent march', 'two\nlines'])
          await core.ok('POST', '/admin/batches', { id, as: 'payment', content: 'one', rows: 0 })
        expect(await findings()).to.deep.equal([])
        await asOutsider(core.place, "delete from batches where id in ('rent march', 'two\nlines')")
        expect(await findings()).to.have.members(['sealed books rent march', 'sealed books two\nlines'])
      })

      it('is finished when each row has an outcome, even in a longer file', async () => {
        await begin('whole', 2)
        await run('whole', 1)
        expect((await finish('whole')).body.details).to.deep.equal({ id: '1 rows have no outcome yet' })
        await run('whole', 1, 2)
        expect((await finish('whole')).status).to.equal(200)
        await begin('whole', 1, { content: 'two', continue: true })
        await run('whole', 3)
        expect((await finish('whole')).status).to.equal(200)
        expect(await findings()).to.deep.equal([])
      })

      it('finished with missing, waiting or too few rows is reported', async () => {
        for (const id of ['gone', 'waits', 'many']) {
          await begin(id, 2)
          await run(id, 1, 2)
          await finish(id)
        }
        await asOutsider(
          core.place,
          `delete from batch_rows where batch_id = 'gone' and "row" = 2`,
          `update batch_rows set status = 'waiting' where batch_id = 'waits' and "row" = 2`,
          "update batches set rows = 3 where id = 'many'",
        )
        const found = await findings()
        expect(found).to.include.members(['batch gone', 'batch many'])
        expect(found.filter((each) => each.startsWith('batch'))).to.have.length(3)
      })

      it('with a duplicate row is reported', async () => {
        await begin('twice', 2)
        await run('twice', 1, 2)
        await asOutsider(
          core.place,
          `insert into batch_rows (id, batch_id, "row", status, object_id, error, created_at)
            select 'zz', batch_id, "row", status, object_id, error, created_at from batch_rows where "row" = 2`,
        )
        expect(await findings()).to.have.members(['batch zz', 'sealed books zz'])
      })
    })

    for (const [what, statement] of Object.entries({
      'a row is missing': 'delete from batch_rows where "row" = 2',
      'the time of a row was changed': `update batch_rows set created_at = '2001-01-01 00:00:00' where "row" = 2`,
      'a row has an unknown status': `update batch_rows set status = 'dane' where "row" = 2`,
      'its kind was changed': "update batches set kind = 'refund'",
    }))
      it(`reports an unfinished batch if ${what}`, async () => {
        const body = { amount: 1, processing_id: processing, payment_method: card() }
        const batch = { id: 'open', as: 'payment' }
        await core.ok('POST', '/admin/batches', { ...batch, content: 'one', rows: 2 })
        await core.ok('POST', '/admin/batches/rows', { ...batch, rows: [{ row: 2, body }] })
        await asOutsider(core.place, statement)
        expect(await findings()).to.not.be.empty
      })

    for (const [what, statement] of Object.entries({
      'a month of an account': "update accounts set bill_month = '2031-A1' where type = 'processing'",
      'a day of an invoice': "update invoices set due_date = 'x', collect_on = 'x'",
      'a time of a transaction': "update transactions set due_at = 'x', created_at = 'y'",
      'a slot of a schedule': "update billing_schedules set next_slot = 'x', start_date = 'y'",
      'a time zone': "update orgs set timezone = 'Mars/Olympus'",
      'an id': "update events set id = '?' where id = (select max(id) from events where trigger = 'payment')",
    }))
      it(`reports ${what} that cannot be read, and continues with the other checks`, async () => {
        await story(core)
        await asOutsider(core.place, statement)
        const id = await link()
        await asOutsider(core.place, `update payment_links set taken = 1 where id = '${id}'`)
        const found = await findings()
        expect(found).to.include(`link ${id}`)
        expect(found.length).to.be.above(1)
      })

    it('reports a card number that is missing but had to be kept', async () => {
      const kept = idOf(await core.ok('POST', '/customers', { name: 'Ada', payment_methods: [card()] }))
      await pay(core, processing, 10, { payment_method: { ...card(), keep_active: false } })
      expect(await findings()).to.deep.equal([])
      await asOutsider(
        core.place,
        `update payment_methods set card__card_number = null where account_id = '${kept}'`,
      )
      expect(await findings()).to.have.length(1)
    })

    for (const [what, statement] of Object.entries({
      'of a link is missing': "delete from events where trigger = 'payment_link:status'",
      'of a link exists twice': `insert into events (id, trigger, object, object_id, value, processing_id, principal_id, created_at)
        select 'evt_zz', trigger, object, object_id, value, processing_id, principal_id, created_at from events
          where trigger = 'payment_link:status'`,
      'of a link names another principal':
        "update events set principal_id = 'key_x' where trigger = 'payment_link:status'",
      'of a payment has a changed time':
        "update events set created_at = '2001-01-01 00:00:00' where trigger = 'payment'",
      'of a processed payment has a changed time':
        "update events set created_at = '2001-01-01 00:00:00' where trigger = 'processed'",
    }))
      it(`reports that an event ${what}`, async () => {
        await link()
        await pay(core, processing, 10)
        expect(await findings()).to.deep.equal([])
        await asOutsider(core.place, statement)
        expect(await findings()).to.not.be.empty
      })

    it('reports events swapped between two payments', async () => {
      const one = idOf(await pay(core, processing, 10))
      time.now += 3_600_000
      const other = idOf(await pay(core, processing, 10))
      expect(await findings()).to.deep.equal([])
      await asOutsider(
        core.place,
        `update events set object_id = case object_id when '${one}' then '${other}' else '${one}' end
          where object_id in ('${one}', '${other}') and trigger = 'payment'`,
      )
      expect(await findings()).to.include(`events ${other}`)
    })

    describe('a receipt', () => {
      it('is valid when clients create and change it', async () => {
        const id = idOf(await pay(core, processing, 10))
        const { receipts } = await core.ok('GET', `/transactions/${id}`, undefined, {
          query: 'fields=*,receipts',
        })
        const [own] = listOf(receipts).map((one) => idOf(objectOf(one)))
        await core.ok('PUT', `/receipts/${own}`, { email: 'ada@example.com' })
        const other = idOf(
          await core.ok('POST', '/receipts', { transaction_id: id, email: 'ben@example.com' }),
        )
        await core.ok('POST', '/admin/clock', { by: '1h' })
        await core.ok('PUT', `/receipts/${own}`, { email: 'ada@example.org' })
        await core.ok('DELETE', `/receipts/${other}`)
        expect(await findings()).to.deep.equal([])
      })

      for (const [what, statement] of Object.entries({
        'is duplicate': `insert into receipts (id, transaction_id, type, created_at, modified_at)
          select 'rcpt_0000000000000000000000', transaction_id, type, created_at, modified_at from receipts`,
        'has another time':
          "update receipts set created_at = '2001-01-01 00:00:00', modified_at = '2001-01-01 00:00:00'",
        'was changed later': "update receipts set modified_at = '2031-01-01 00:00:00'",
        'is missing': 'delete from receipts',
      }))
        it(`that ${what} is reported`, async () => {
          await pay(core, processing, 10)
          await asOutsider(core.place, statement)
          expect(await findings()).to.not.be.empty
        })

      it('of an unprocessed payment is reported', async () => {
        const id = idOf(await pay(core, processing, 10, { status: 'authorized' }))
        await asOutsider(
          core.place,
          `insert into receipts (id, transaction_id, type, created_at, modified_at)
            select 'rcpt_' || substr(id, 5), id, 'payment', created_at, created_at from transactions where id = '${id}'`,
        )
        expect(await findings()).to.deep.equal([`events ${id}`])
      })
    })

    describe('a stored answer', () => {
      const ask = async () => {
        const body = { type: 'payment', amount: 10, processing_id: processing, payment_method: card() }
        await core.ok('POST', '/transactions', body, { idempotencyKey: 'a key' })
      }

      it('is valid, both while it is pending and when it is complete', async () => {
        gateway.script('times_out_after')
        await ask()
        expect(await findings()).to.deep.equal([])
        await core.environment.reconcile(-1)
        expect(await findings()).to.deep.equal([])
      })

      for (const [what, statement] of Object.entries({
        'is missing': 'delete from idempotency_records',
        'is duplicate': `insert into idempotency_records (id, request_hash, status, answer, created_at)
          select 'other', request_hash, status, answer, created_at from idempotency_records`,
        'belongs to another request': "update idempotency_records set request_hash = 'other'",
        'has another time': "update idempotency_records set created_at = '2001-01-01 00:00:00'",
      }))
        it(`that ${what} is reported`, async () => {
          await ask()
          await asOutsider(core.place, statement)
          expect(await findings()).to.have.length(1)
        })
    })
  })
})
