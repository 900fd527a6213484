import { expect } from 'chai'
import { nearest } from '../../../../src/cli/terminal/suggestions/nearest.js'

describe('the nearest word', () => {
  const known = ['list', 'create', 'transactions', 'transaction-ledgers']
  for (const [word, meant] of [
    ['lits', 'list'],
    ['lst', 'list'],
    ['listt', 'list'],
    ['transaction', 'transactions'],
    ['trnasactoins', 'transactions'],
    ['trans', 'transactions'],
    ['frobnicate', undefined],
    ['x', undefined],
  ] as const)
    it(`to ${word} is ${meant ?? 'none'}`, () => expect(nearest(word, known)).to.equal(meant))
})
