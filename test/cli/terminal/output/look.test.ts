import { expect } from 'chai'
import fc from 'fast-check'
import stringWidth from 'string-width'
import { layoutOf } from '../../../../src/cli/terminal/output/layout.js'
import { lookOf } from '../../../../src/cli/terminal/output/look.js'
import { fitted, widthOf } from '../../../../src/cli/terminal/output/width.js'

describe('terminal appearance', () => {
  const terminal = { isTTY: true, columns: 100 }

  it('depends on the output stream', () => {
    expect(lookOf(terminal, {})).to.include({ width: 100, colour: true })
    expect(lookOf(terminal, { PAYCTL_UTC: '1' }).zone).to.equal('UTC')
    expect(lookOf({}, {})).to.deep.equal({ colour: false })
    expect(lookOf(terminal, { TERM: 'dumb' })).to.include({ colour: false })
    expect(lookOf({ isTTY: true, columns: 0 }, {})).to.include({ width: 80 })
  })

  it('obeys NO_COLOR and FORCE_COLOR', () => {
    expect(lookOf(terminal, { NO_COLOR: '1' }).colour).to.equal(false)
    expect(lookOf({}, { FORCE_COLOR: '1' })).to.deep.equal({ colour: true })
    expect(lookOf(terminal, { FORCE_COLOR: '0' }).colour).to.equal(false)
    expect(lookOf(terminal, { FORCE_COLOR: '1', NO_COLOR: '1' }).colour).to.equal(false)
  })

  it('measures texts like a terminal', () => {
    expect(['abc', '日本', 'é', 'e\u0301', '🙂'].map(widthOf)).to.deep.equal([3, 4, 1, 1, 2])
  })

  it('measures simple texts itself, with the same result as the library', () => {
    const characters = fc.constantFrom(...'aZ~ ¡é©ÿ…かナ日本한글\u00ad\u0301\uff76\uff9e\u1100\u1161🙂')
    fc.assert(fc.property(fc.string({ unit: characters }), (text) => widthOf(text) === stringWidth(text)))
  })

  it('narrows the widest columns first', () => {
    expect(fitted([5, 20, 30], [5, 6, 6], 40)).to.deep.equal([5, 17, 17])
    expect(fitted([5, 5], [5, 5], 40)).to.deep.equal([5, 5])
    expect(fitted([26, 30, 30], [26, 6, 6], 60)).to.deep.equal([26, 17, 17])
    expect(fitted([20, 20], [6, 6], 11)).to.equal(undefined)
  })

  it('shortens ids, then omits columns of the highest ranks, unless they were requested', () => {
    const id = { values: 26, short: 9, head: 2, word: 2, isWhole: true, isId: true, rank: 1 }
    const text = { values: 40, head: 4, word: 4, isWhole: false, rank: 2 }
    const money = { values: 9, head: 6, word: 6, isWhole: true, rank: 0 }
    const on = (screen: number, mayDrop = true) =>
      layoutOf([id, text, money], { screen, gap: 2, mayDrop }).map(({ column, width }) => [column, width])
    expect(on(200)).to.deep.equal([
      [0, 26],
      [1, 40],
      [2, 9],
    ])
    expect(on(75)).to.deep.equal([
      [0, 26],
      [1, 36],
      [2, 9],
    ])
    expect(on(50)).to.deep.equal([
      [0, 9],
      [1, 28],
      [2, 9],
    ])
    expect(on(32)).to.deep.equal([
      [0, 9],
      [2, 9],
    ])
    expect(on(16)).to.deep.equal([[2, 9]])
    expect(
      on(40, false).map(([column]) => column),
      'asked for',
    ).to.deep.equal([0, 1, 2])
  })
})
