import { expect } from 'chai'
import { Business } from '../business.js'
import { idOf, openCore } from '../core.js'
import { type Databases, onDatabases } from '../databases.js'
import { bankAccount, card, makeProcessing, pay } from '../examples.js'
import { audit } from './audit.js'
import { type Kept, readKept } from './kept.js'

/** Copies rows; each row for which `change` returns a row is replaced by that row. */
function altered<R>(rows: readonly R[], change: (row: R, index: number) => R | undefined): R[] {
  return rows.map((row, index) => change(row, index) ?? row)
}

/** Stored data after payments, refunds and other requests of clients, before any settlement. */
async function taken(open: Databases): Promise<Kept> {
  const core = await openCore(open)
  const processing = await makeProcessing(core)
  const refund = (id: string, amount: number) =>
    core.ok('POST', '/transactions', { type: 'refund', amount, ledger: [{ assoc_transaction_id: id }] })
  const put = (id: string, status: string) => core.ok('PUT', `/transactions/${id}`, { status })

  const refunded = idOf(await pay(core, processing, 29.99))
  await refund(refunded, 10)
  await refund(refunded, 19.99)
  await put(idOf(await pay(core, processing, 5)), 'voided')
  const held = idOf(await pay(core, processing, 7, { status: 'authorized' }))
  await put(held, 'processed')
  await put(idOf(await pay(core, processing, 8, { status: 'authorized' })), 'voided')
  await pay(core, processing, 9, { payment_method: bankAccount() })
  const blind = { amount: 3, processing_id: processing, payment_method: card() }
  await core.ok('POST', '/transactions', { ...blind, type: 'refund' })
  await core.ok('POST', '/transactions', { ...blind, type: 'credit' })
  const declined = { ...blind, type: 'payment', payment_method: card('4111111111119903') }
  expect((await core.send('POST', '/transactions', declined)).status).to.equal(400)

  const handle = core.environment.core
  return await handle.write(({ tx }) => readKept(tx))
}

/** Stored data after deposits, reversals, disputes, returns and monthly bills. */
async function settled(open: Databases): Promise<Kept> {
  const business = await Business.open(open)
  const { core } = business
  const fees = { credit_conv_fee_alloc: 50, batch_fee: 1, monthly_processing_fee: 5, minimum_bill: 20 }
  const netted = await business.account(fees)
  const billed = await business.account({ ...fees, billing_preference: 'billed_monthly' })
  const blind = { type: 'credit', amount: 3, processing_id: netted, payment_method: card() }
  await core.ok('POST', '/transactions', blind)
  const deposited = idOf(await pay(core, netted, 29.99))
  const disputed = idOf(await pay(core, netted, 40))
  const gross = idOf(await pay(core, billed, 50))
  await business.simulate('chargeback', disputed, { amount: 10 })
  business.at('2030-01-16 12:00:00')
  await business.run()
  await business.refund(deposited, 29.99)
  await business.simulate('chargeback', disputed, { amount: 30 })
  await business.simulate('chargeback', gross, { amount: 20 })
  await business.simulate('return', idOf(await pay(core, billed, 9, { payment_method: bankAccount() })))
  business.at('2030-01-17 12:00:00')
  await business.run()
  await business.simulate('dispute_won', disputed)
  business.at('2030-02-03 12:00:00')
  await business.run()
  await pay(core, netted, 11)
  return await business.kept()
}

const stories = [
  { name: 'that are not settled yet', tell: taken, transactions: 10 },
  { name: 'that are settled', tell: settled, transactions: 21 },
]

for (const { name, tell, transactions } of stories)
  describe(`an audit of books ${name}`, () => {
    onDatabases((open) => {
      let kept: Kept
      before(async () => {
        const told = await tell(open)
        // The audit checks only events of transactions, not those of disputes.
        kept = { ...told, events: told.events.filter(({ object }) => object !== 'dispute') }
      })

      it('reports no problem if the books are correct', () => {
        expect(kept.transactions).to.have.length(transactions)
        expect(audit(kept)).to.deep.equal([])
      })

      it('reports every row that is missing or duplicate', () => {
        for (const table of ['entries', 'postings', 'events', 'transactions'] as const) {
          for (const [index, row] of kept[table].entries()) {
            expect(audit({ ...kept, [table]: kept[table].toSpliced(index, 1) }), `without ${row.id}`).not.to
              .be.empty
            if (table !== 'transactions')
              expect(audit({ ...kept, [table]: [...kept[table], row] }), `twice ${row.id}`).not.to.be.empty
          }
        }
      })

      it('reports every amount that is a cent off', () => {
        for (const table of ['entries', 'postings', 'transactions'] as const) {
          for (const index of kept[table].keys()) {
            const rows = altered<{ amount: number | null }>(kept[table], (row, at) =>
              at === index ? { ...row, amount: (row.amount ?? 0) + 1 } : undefined,
            )
            if (table === 'transactions' && !hasMoved(kept.transactions[index]?.status)) continue
            expect(audit({ ...kept, [table]: rows }), `${table} ${index}`).not.to.be.empty
          }
        }
      })
    })
  })

describe('an audit of transactions and answers', () => {
  onDatabases((open) => {
    let kept: Kept
    before(async () => {
      kept = await taken(open)
    })

    it('reports a wrong balance, status, operation or answer', () => {
      const wrong: Partial<Kept['transactions'][number]>[] = [
        { refunded: 1 },
        { status: 'rejected' },
        { funding_status: 'batched' },
        { pending_operation: 'sale' },
        { conv_fee: 1 },
        { fee: 2 },
        { accrued_fee: 1 },
      ]
      for (const change of wrong) {
        const transactions = altered(kept.transactions, (row) =>
          row.type === 'payment' && row.status === 'processed' ? { ...row, ...change } : undefined,
        )
        expect(audit({ ...kept, transactions }), JSON.stringify(change)).not.to.be.empty
      }
      expect(audit({ ...kept, unanswered: 1 })).to.have.length(1)
    })
  })
})

/**
 * Whether a transaction moved money: otherwise no book contains its amount, so no book can contradict it.
 */
function hasMoved(status: string | null | undefined): boolean {
  return status !== 'declined' && status !== 'voided'
}
