import { expect } from 'chai'
import { severalAtOnce } from '../../../src/engine/jobs/several-at-once.js'
import { rejection } from '../../support/rejection.js'

describe('several at once', () => {
  const items = Array.from({ length: 40 }, (_, index) => index)

  it('are answered in the order of the items, whichever ends first', async () => {
    const ends: (() => void)[] = []
    const outcomes = severalAtOnce(items, async (item) => {
      await new Promise<void>((resolve) => {
        ends.unshift(resolve)
        // The newest ends first, when no other can begin.
        setImmediate(() => ends.shift()?.())
      })
      return item * 2
    })
    expect(await outcomes).to.deep.equal(items.map((item) => item * 2))
  })

  it('are no more than sixteen', async () => {
    let running = 0
    let most = 0
    await severalAtOnce(items, async () => {
      most = Math.max(most, ++running)
      await new Promise((resolve) => setImmediate(resolve))
      running--
    })
    expect(most).to.equal(16)
  })

  it('end before a failure is thrown, and no others begin', async () => {
    const begun: number[] = []
    const ended: number[] = []
    const failure = new Error('the third')
    const run = severalAtOnce(items, async (item) => {
      begun.push(item)
      if (item === 2) throw failure
      await new Promise((resolve) => setImmediate(resolve))
      ended.push(item)
    })
    expect(await rejection(run)).to.equal(failure)
    expect(begun).to.deep.equal(items.slice(0, 16))
    expect(ended).to.deep.equal(begun.filter((item) => item !== 2))
  })
})
