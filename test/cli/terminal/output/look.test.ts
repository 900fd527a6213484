import { expect } from 'chai'
import fc from 'fast-check'
import stringWidth from 'string-width'
import { layoutOf } from '../../../../src/cli/terminal/output/layout.js'
import { lookOf } from '../../../../src/cli/terminal/output/look.js'
import { fitted, widthOf } from '../../../../src/cli/terminal/output/width.js'

describe('looks', () => {
  const terminal = { isTTY: true, columns: 100 }

  it('follow the stream', () => {
    expect(lookOf(terminal, {})).to.deep.equal({ width: 100, colour: true })
    expect(lookOf({}, {})).to.deep.equal({ colour: false })
    expect(lookOf(terminal, { TERM: 'dumb' })).to.include({ colour: false })
    expect(lookOf({ isTTY: true, columns: 0 }, {})).to.include({ width: 80 })
  })

  it('obey NO_COLOR and FORCE_COLOR', () => {
    expect(lookOf(terminal, { NO_COLOR: '1' }).colour).to.equal(false)
    expect(lookOf({}, { FORCE_COLOR: '1' })).to.deep.equal({ colour: true })
    expect(lookOf(terminal, { FORCE_COLOR: '0' }).colour).to.equal(false)
    expect(lookOf(terminal, { FORCE_COLOR: '1', NO_COLOR: '1' }).colour).to.equal(false)
  })

  it('measure what a terminal shows', () => {
    expect(['abc', '日本', 'é', 'e\u0301', '🙂'].map(widthOf)).to.deep.equal([3, 4, 1, 1, 2])
  })

  it('measure what they know by themselves as the library does', () => {
    const characters = fc.constantFrom(...'aZ~ ¡é©ÿ…かナ日本한글\u00ad\u0301\uff76\uff9e\u1100\u1161🙂')
    fc.assert(fc.property(fc.string({ unit: characters }), (text) => widthOf(text) === stringWidth(text)))
  })

  it('take from the widest columns first', () => {
    expect(fitted([5, 20, 30], [5, 6, 6], 40)).to.deep.equal([5, 17, 17])
    expect(fitted([5, 5], [5, 5], 40)).to.deep.equal([5, 5])
    expect(fitted([26, 30, 30], [26, 6, 6], 60)).to.deep.equal([26, 17, 17])
    expect(fitted([20, 20], [6, 6], 11)).to.equal(undefined)
  })

  it('leave the last columns out where there is no room, unless they were asked for', () => {
    const id = { values: 26, head: 2, isWhole: true }
    const text = { values: 40, head: 4, isWhole: false }
    const on = (screen: number, mayDrop: boolean) => layoutOf([id, text, id], { screen, gap: 2, mayDrop })
    expect(on(200, true)).to.deep.equal([26, 40, 26])
    expect(on(80, true)).to.deep.equal([26, 24, 26])
    expect(on(60, true)).to.deep.equal([26, 29])
    expect(on(30, true)).to.deep.equal([26])
    expect(on(10, true)).to.deep.equal([10])
    expect(on(40, false)).to.deep.equal([12, 12, 12])
  })
})
