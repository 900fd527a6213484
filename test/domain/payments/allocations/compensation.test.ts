import { expect } from 'chai'
import fc from 'fast-check'
import { decideCompensation } from '../../../../src/domain/allocations/follow-payment.js'

const item = (invoice_id: string, total: number) => ({ invoice_id, total })

describe('the amount a payment takes back from invoices', () => {
  it('comes from the newest allocation first', () => {
    const items = [item('inv_1', -30), item('inv_2', -20)]
    expect(decideCompensation(items, 15)).to.deep.equal([{ invoiceId: 'inv_2', amount: 15 }])
    expect(decideCompensation(items, 25)).to.deep.equal([
      { invoiceId: 'inv_2', amount: 20 },
      { invoiceId: 'inv_1', amount: 5 },
    ])
  })

  it('is not taken back twice', () => {
    const items = [item('inv_1', -30), item('inv_2', -20), item('inv_2', 15), item('inv_2', -1)]
    expect(decideCompensation(items, 10)).to.deep.equal([
      { invoiceId: 'inv_2', amount: 1 },
      { invoiceId: 'inv_2', amount: 5 },
      { invoiceId: 'inv_1', amount: 4 },
    ])
  })

  it('sums to the requested amount, and leaves no invoice below zero', () => {
    const invoice = fc.constantFrom('inv_1', 'inv_2', 'inv_3')
    const allocations = fc.array(fc.tuple(invoice, fc.integer({ min: 1, max: 1000 })), { minLength: 1 })
    fc.assert(
      fc.property(allocations, fc.array(fc.integer({ min: 1, max: 100 })), (made, shares) => {
        const items = made.map(([id, paid]) => item(id, -paid))
        for (const share of shares) {
          const left = -sum(items.map(({ total }) => total))
          const excess = Math.min(left, Math.ceil((left * share) / 100))
          const taken = decideCompensation(items, excess)
          expect(sum(taken.map(({ amount }) => amount))).to.equal(excess)
          items.push(...taken.map(({ invoiceId, amount }) => item(invoiceId, amount)))
          for (const id of ['inv_1', 'inv_2', 'inv_3'])
            expect(sum(items.filter((one) => one.invoice_id === id).map(({ total }) => total))).to.be.at.most(
              0,
            )
        }
      }),
    )
  })
})

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0)
}
