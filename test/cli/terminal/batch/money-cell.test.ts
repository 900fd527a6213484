import { expect } from 'chai'
import { readMoneyCell } from '../../../../src/cli/terminal/batch/money-cell.js'
import { UsageError } from '../../../../src/cli/terminal/failure/failure.js'

const POINT = { decimal: '.', isSignless: false } as const
const COMMA = { decimal: ',', isSignless: false } as const

describe('an amount in a cell', () => {
  it('may have blanks after its sign and between thousands', () => {
    const read = [
      '1 234.50',
      '1\u00a0234\u202f567.5',
      '$ 1,234.50',
      '- $5',
      '( 50.00 )',
      ' 12.5 USD',
      'USD 7',
    ]
    expect(read.map((text) => readMoneyCell(text, POINT))).to.deep.equal([
      1234.5, 1_234_567.5, 1234.5, -5, -50, 12.5, 7,
    ])
    expect(readMoneyCell('1 234,50', COMMA)).to.equal(1234.5)
  })

  it('is refused with any other blank, which may have been a decimal point', () => {
    for (const text of ['12 50', '1 234 50', '5 0', '12.50 100', '12.5 0', '1234 567', '5\n600', '(12 50)'])
      for (const style of [POINT, COMMA]) expect(() => readMoneyCell(text, style), text).to.throw(UsageError)
  })
})
