import { expect } from 'chai'
import { idOf, openCore } from '../core.js'
import { onEachDatabase } from '../databases.js'
import { bankAccount, card, makeProcessing, pay } from '../examples.js'
import { audit } from './audit.js'
import { type Kept, readKept } from './kept.js'

/** Every row changed for which `change` answers something else. */
function altered<R>(rows: readonly R[], change: (row: R, index: number) => R | undefined): R[] {
  return rows.map((row, index) => change(row, index) ?? row)
}

describe('an audit', () => {
  onEachDatabase((open) => {
    let kept: Kept
    before(async () => {
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

      const handle = await core.app.core('test')
      kept = await handle.transact(({ tx }) => readKept(tx))
    })

    it('finds nothing wrong with books that are right', () => {
      expect(kept.transactions).to.have.length(10)
      expect(audit(kept)).to.deep.equal([])
    })

    it('misses every row that is taken away, and every one that is there twice', () => {
      for (const table of ['entries', 'postings', 'events', 'transactions'] as const) {
        for (const [index, row] of kept[table].entries()) {
          expect(audit({ ...kept, [table]: kept[table].toSpliced(index, 1) }), `without ${row.id}`).not.to.be
            .empty
          if (table !== 'transactions')
            expect(audit({ ...kept, [table]: [...kept[table], row] }), `twice ${row.id}`).not.to.be.empty
        }
      }
    })

    it('sees every amount that is a cent off', () => {
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

    it('sees a balance, a status, an operation and an answer that are not what they should be', () => {
      const wrong: Partial<Kept['transactions'][number]>[] = [
        { refunded: 1 },
        { status: 'rejected' },
        { funding_status: 'batched' },
        { open_operation: 'sale' },
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

/** The amount of what moved no money is in no book, so nothing can contradict it. */
function hasMoved(status: string | null | undefined): boolean {
  return status !== 'declined' && status !== 'voided'
}
