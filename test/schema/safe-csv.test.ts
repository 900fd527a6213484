import { expect } from 'chai'
import fc from 'fast-check'
import { originalCell, safeCell } from '../../src/schema/safe-csv.js'

describe('cells protected against spreadsheet formulas', () => {
  it('get an apostrophe before a possible formula', () => {
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

  it('stay unchanged if they are plain texts or numbers', () => {
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

  it('have their original value when they are read again', () => {
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
