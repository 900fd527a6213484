import { expect } from 'chai'
import { collectionProblems, type Tried } from '../../../src/domain/verify/people/verify-collecting.js'
import { onDatabases } from '../../support/databases.js'
import { advance, openBilling, rowsOf, schedule } from '../billing/schedules/schedules.js'

onDatabases((open) => {
  describe('verify of billing', () => {
    it('reports a schedule that would bill at a wrong time or never', async () => {
      const shop = await openBilling(open)
      const id = await schedule(shop, 'weekly', { end_date: '2027-02-01' })
      await advance(shop.core, '10d')
      const problems = async () =>
        rowsOf(await shop.core.ok('GET', '/admin/verify'), 'findings').map(
          ({ check, problem }) => `${check}: ${problem}`,
        )
      expect(await problems()).to.deep.equal([])
      const core = shop.core.environment.core
      const wrong = [
        [{ next_slot: '2026-11-20', bills_at: '2026-11-20 05:00:00' }, 'which is not one of its days'],
        [{ next_slot: '2027-02-02', bills_at: '2027-02-02 05:00:00' }, 'which is not one of its days'],
        [{ next_slot: '2026-12-05', bills_at: '2026-12-07 05:00:00' }, 'and is due at 2026-12-07 05:00:00'],
        [{ next_slot: '2026-12-05', bills_at: null }, 'and is due at null'],
      ] as const
      for (const [columns, problem] of wrong) {
        await core.write(({ tx }) =>
          tx.db.updateTable('billing_schedules').set(columns).where('id', '=', id).execute(),
        )
        const found = await problems()
        expect(found.filter((each) => !each.startsWith('schedule: It bills '))).to.deep.equal([])
        expect(found.filter((each) => each.includes(problem))).to.have.length(1)
      }
    })
  })
})

describe('attempts to collect an invoice', () => {
  const paid: Tried = {
    attempt_date: '2027-01-01',
    transaction_id: 'txn_1',
    refusal: null,
    requested: 0,
    payment_method_id: 'pm_1',
    identified_by: 'Visa ending in 4242, 12/39',
    automatic: 1,
    status: 'processed',
    status_code: 'approved',
    paid_by: 'pm_1',
    tried_at: '2027-01-01 05:00:00',
    taken_at: '2027-01-01 05:00:00',
  }

  it('are automatic payments or refusals, at most one of them successful', () => {
    const refused = {
      ...paid,
      transaction_id: null,
      automatic: null,
      status: null,
      refusal: 'amount: Too much',
    }
    expect(collectionProblems([refused, { ...paid, status: 'declined' }, paid])).to.deep.equal([])
    expect(
      collectionProblems([paid, { ...paid, attempt_date: '2027-01-02', status: 'rejected' as const }]),
    ).to.deep.equal(['It was collected on 2027-01-01 and 2027-01-02'])
    expect(collectionProblems([{ ...paid, paid_by: 'pm_2' }])).to.deep.equal([
      'The attempt of 2027-01-01 was made with pm_1, its payment with pm_2',
    ])
    expect(collectionProblems([{ ...paid, automatic: null }])).to.deep.equal([
      'The attempt of 2027-01-01 is txn_1, which is not an automatic payment',
    ])
    expect(collectionProblems([{ ...refused, refusal: null }])).to.deep.equal([
      'The attempt of 2027-01-01 has neither a payment nor a refusal',
    ])
  })

  it('may follow a bank return, or a resumption or request by a person', () => {
    const next = {
      ...paid,
      attempt_date: '2027-01-02',
      tried_at: '2027-01-02 05:00:00',
      taken_at: '2027-01-02 05:00:00',
    }
    const returned = { ...paid, status: 'rejected', status_code: 'R01' } as const
    expect(collectionProblems([returned, next])).to.deep.equal([])
    expect(collectionProblems([paid, next], '2027-01-01 12:00:00')).to.deep.equal([])
    expect(collectionProblems([paid, { ...next, requested: 1 }])).to.deep.equal([])
    expect(collectionProblems([{ ...paid, requested: 1 }, next])).to.deep.equal([
      'It was collected on 2027-01-01 and 2027-01-02',
    ])
  })
})
