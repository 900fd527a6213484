import { expect } from 'chai'
import { runLimited } from '../../../src/engine/jobs/run-limited.js'
import { EndedEarly, severalAtOnce } from '../../../src/engine/jobs/several-at-once.js'
import { openCore } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { rejection } from '../../support/rejection.js'

const items = Array.from({ length: 80 }, (_, index) => index)

describe('severalAtOnce', () => {
  it('answers in the order of the items, whichever ends first', async () => {
    const ends: (() => void)[] = []
    const outcomes = severalAtOnce(items, async (item) => {
      await new Promise<void>((resolve) => {
        ends.unshift(resolve)
        // The newest item ends first, once no other item can start.
        setImmediate(() => ends.shift()?.())
      })
      return item * 2
    })
    expect(await outcomes).to.deep.equal(items.map((item) => item * 2))
  })

  it('starts with one item and never runs more than sixteen', async () => {
    let running = 0
    const widths: number[] = []
    await severalAtOnce(items, async () => {
      widths.push(++running)
      await new Promise((resolve) => setImmediate(resolve))
      running--
    })
    expect(widths.slice(0, 3)).to.deep.equal([1, 1, 2])
    expect(Math.max(...widths)).to.equal(16)
  })

  it('waits for running items before it throws a failure, and starts no more', async () => {
    const begun: number[] = []
    const ended: number[] = []
    const failure = new Error('the twelfth')
    const run = severalAtOnce(items, async (item) => {
      begun.push(item)
      if (item === 12) throw failure
      await new Promise((resolve) => setImmediate(resolve))
      ended.push(item)
    })
    expect(await rejection(run)).to.equal(failure)
    expect(begun.length).to.be.within(13, 12 + 16)
    expect(ended).to.have.members(begun.filter((item) => item !== 12))
  })

  it('does not hide a failure when the run is ended early', async () => {
    const failure = new Error('the second')
    const ended = new EndedEarly()
    const failing = (end: (item: number) => Promise<void>) =>
      rejection(severalAtOnce(items, async (item) => await end(item)))
    const later = () => new Promise((resolve) => setImmediate(resolve))
    expect(
      await failing(async (item) => {
        if (item === 1) {
          await later()
          throw failure
        }
        if (item === 2) throw ended
      }),
    ).to.equal(failure)
    expect(
      await failing(async (item) => {
        if (item === 2) throw ended
      }),
    ).to.equal(ended)
  })

  it('answers an empty list for an empty list', async () => {
    expect(await severalAtOnce([], async () => 1)).to.deep.equal([])
  })
})

onDatabases('locks', (open) => {
  describe('simultaneous units of work in a limited run', () => {
    it('stop at the limit of writes, where a refused write and the record of its refusal count once', async () => {
      const { core } = await (await openCore(open)).app.environment('test')
      const refused = [1, 4]
      const records: number[] = []
      let written = 0
      const isWhole = await runLimited(core, 20, async ({ write }) => {
        await severalAtOnce(items, async (item) => {
          try {
            await write(async () => {
              if (refused.includes(item)) throw new RangeError('refused')
            })
          } catch (error) {
            if (!(error instanceof RangeError)) throw error
            await write(async () => records.push(item))
          }
          written++
        })
      })
      expect({ isWhole, written, records }).to.deep.equal({ isWhole: false, written: 20, records: refused })
    })

    it('fail when one of them fails, even if the limit is reached at the same time', async () => {
      const { core } = await (await openCore(open)).app.environment('test')
      const failure = new Error('the last that may be written')
      const run = runLimited(core, 2, async ({ write }) => {
        await severalAtOnce(items, async (item) => {
          await write(async () => {
            if (item === 1) throw failure
          })
        })
      })
      expect(await rejection(run)).to.equal(failure)
    })
  })
})
