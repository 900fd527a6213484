import { expect } from 'chai'
import fc from 'fast-check'
import { originalCell, safeCell } from '../../src/schema/safe-csv.js'

describe('cells that are no formulas', () => {
  it('have an apostrophe in front of what begins one', () => {
    for (const text of [
      '=1+1',
      '+1',
      '-1+1',
      '@SUM(A1)',
      '\t=1',
      '\rx',
      '\tx',
      ' =1',
      '＝1',
      "'=1",
      '=HYPERLINK("x")',
    ])
      expect(safeCell(text), JSON.stringify(text)).to.equal(`'${text}`)
  })

  it('are left alone where they are texts and numbers', () => {
    for (const text of [
      '',
      'Ada',
      '-12.50',
      '12',
      '-3',
      "'quoted'",
      'a=b',
      '(1)',
      '{"a":"=1"}',
      'ada@example.com',
    ])
      expect(safeCell(text), JSON.stringify(text)).to.equal(text)
  })

  it('are what they were when they are read again', () => {
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: fc.constantFrom("'", '=', '-', '+', '@', '\t', '\r', ' ', '1', 'a') }),
    )
    fc.assert(
      fc.property(text, (cell) => {
        expect(originalCell(safeCell(cell))).to.equal(cell)
      }),
    )
  })
})
