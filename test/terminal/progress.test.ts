import { expect } from 'chai'
import { counted, progressOn, progressText } from '../../src/terminal/progress.js'

describe('progress', () => {
  it('says how much is done, how fast, and what is left', () => {
    expect(progressText(12_000, 40_000, 2, 'rows')).to.equal('12,000 of 40,000 rows (30%), 6,000/s, 5 s left')
    expect(progressText(1_234_567, undefined, 1, 'rows')).to.equal('1,234,567 rows, 1,234,567/s')
    expect(progressText(0, 40, 0, 'rows')).to.equal('0 of 40 rows (0%)')
    expect(progressText(50, 40, 10, 'rows')).to.equal('50 of 40 rows (100%), 5/s, 0 s left')
  })

  it('separates thousands', () => {
    expect([0, 999, 1000, 1234567].map(counted)).to.deep.equal(['0', '999', '1,000', '1,234,567'])
  })

  it('is shown ten times a second at most, and taken away', () => {
    let now = 0
    let text = ''
    const stream = { write: (piece: string) => (text += piece) }
    const progress = progressOn(stream, { now: () => now }, 'rows')
    progress.clear()
    expect(text).to.equal('')
    for (; now < 250; now += 10) progress.show(now, undefined)
    expect(text.split('\r').length - 1).to.equal(3)
    progress.clear()
    expect(text.endsWith('\r\u001b[2K')).to.equal(true)
  })
})
