import { expect } from 'chai'
import { compare } from './verdict.js'

const line = (order: string, changes = {}) => ({
  id: `txn_${order}`,
  order,
  amount: 100,
  type: 'payment',
  status: 'processed',
  ...changes,
})

describe('the comparison after a crash', () => {
  const told = [line('a'), line('b')]

  it('reports no problem if all acknowledged payments are stored', () => {
    expect(compare(told, [line('b'), line('a')])).to.deep.equal([])
  })

  it('reports payments that are lost, stored twice, different, and never acknowledged', () => {
    expect(compare(told, [line('a')])).to.deep.equal([
      'b: payment txn_b of 100 processed was acknowledged and is lost',
    ])
    expect(compare(told, [...told, line('b', { id: 'txn_other' })])).to.deep.equal([
      'b is there twice, also as txn_other',
    ])
    expect(compare(told, [line('a'), line('b', { amount: 99 })])).to.deep.equal([
      'b: payment txn_b of 100 processed was told, b: payment txn_b of 99 processed is kept',
    ])
    expect(compare(told, [...told, line('c')])).to.deep.equal(['txn_c (c) was never acknowledged'])
  })
})
