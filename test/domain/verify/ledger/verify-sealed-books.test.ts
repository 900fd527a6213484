import { expect } from 'chai'
import { idOf, openCore, type TestCore } from '../../../support/core.js'
import { onDatabases } from '../../../support/databases.js'
import { card, makeProcessing, pay } from '../../../support/examples.js'
import { asOutsider, booksSealed } from '../../../support/outsider.js'
import { story } from '../story.js'

/** The answers to two payments of the same amount. */
const FIRST = 'id = (select min(id) from idempotency_records where answer is not null)'
const LAST = '(select answer from idempotency_records where answer is not null order by id desc limit 1)'

/**
 * Attacks on the books of a history, with their SQL statements; `named` matches commits that name the
 * payment.
 */
const ATTACKS: { readonly [name: string]: (id: string, named: string) => readonly string[] } = {
  'a payment is removed with all rows that refer to it': (id) => [
    ...['postings', 'receipts'].map((table) => `delete from ${table} where transaction_id = '${id}'`),
    `delete from events where object_id = '${id}'`,
    `delete from transaction_ledgers where transaction_id = '${id}' or assoc_transaction_id = '${id}'`,
    `delete from transactions where id = '${id}'`,
  ],
  'the time of a payment is changed': (id) => [
    `update transactions set created_at = '2001-01-01 00:00:00' where id = '${id}'`,
  ],
  'a fee is changed together with its posting': (id) => [
    `update transactions set fee = fee + 1 where id = '${id}'`,
    `update postings set amount = amount + 1 where to_account = 'fee_income' and transaction_id = '${id}'`,
  ],
  'a status is changed': (id) => [`update transactions set status_code = 'xyz' where id = '${id}'`],
  'a frequency is changed': () => ["update billing_schedules set recurring_frequency = 'weekly'"],
  'a commit is removed': () => ['delete from seal_log where id = (select min(id) from seal_log)'],
  'the last commits are removed': () => [
    'delete from checkpoints',
    'delete from seal_log where id > (select max(id) - 3 from seal_log)',
  ],
  'a commit names other rows': (_, named) => [
    `update seal_log set entries = (select entries from seal_log where id = 1) where ${named}`,
  ],
  'a commit names another row, too': (id, named) => [
    `update seal_log set entries = entries || '
transaction ${id}' where ${named}`,
  ],
  'a commit does not name its last row': (_, named) => [
    `update seal_log set entries = substr(entries, 1, length(entries) - 33) where ${named}`,
  ],
  'a commit names no rows': (_, named) => [`update seal_log set entries = '' where ${named}`],
  'a row is changed and its commits are removed': (id, named) => [
    `update transactions set fee = 1 where id = '${id}'`,
    `delete from seal_log where ${named}`,
  ],
  'a stored answer is replaced by another': () => [
    `update idempotency_records set answer = ${LAST} where ${FIRST}`,
  ],
  'a stored answer is removed': () => [`update idempotency_records set answer = null where ${FIRST}`],
  'an answer is added that was not stored because of its secret': () => [
    `update idempotency_records set answer = ${LAST} where answer is null`,
  ],
  'a signature is changed': () => ["update checkpoints set signature = 'AAAA'"],
}

describe('sealed books', () => {
  onDatabases((open) => {
    let core: TestCore
    let id: string

    async function problems(): Promise<readonly unknown[]> {
      const { findings } = await core.ok('GET', '/admin/verify')
      if (!Array.isArray(findings)) throw new Error('No findings')
      return findings.filter((finding) => JSON.stringify(finding).includes('"sealed books"'))
    }

    beforeEach(async () => {
      // On a slow machine, signing reports the changed books, too; that report is ignored.
      core = await openCore(open, { report: () => undefined })
      await story(core)
      // Seals what exists, so that the payment below is named by later commits, not by the first one.
      await booksSealed(core.place)
      const shop = await makeProcessing(core)
      id = idOf(await pay(core, shop, 12))
      for (const idempotencyKey of ['one', 'two']) {
        const payment = { type: 'payment', amount: 12, processing_id: shop, payment_method: card() }
        await core.ok('POST', '/transactions', payment, { idempotencyKey })
      }
      await core.ok('POST', '/admin/keys', { description: 'till' }, { idempotencyKey: 'three' })
      await booksSealed(core.place)
    })

    it('pass verification if they are unchanged', async () => {
      expect(await problems()).to.deep.equal([])
    })

    for (const [name, statements] of Object.entries(ATTACKS))
      it(`do not pass verification if ${name}`, async () => {
        await asOutsider(core.place, ...statements(id, naming(id)))
        expect(await problems()).to.have.length.above(0)
      })
  })
})

function naming(id: string): string {
  return `entries like '%${id}%'`
}
