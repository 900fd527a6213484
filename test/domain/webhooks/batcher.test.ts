import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect } from 'chai'
import { Batcher } from '../../../src/domain/webhooks/batcher.js'
import { handTimers } from '../../support/timers.js'

const COLLECTING = 200
const FULL = 500

describe('a batcher', () => {
  const setting = () => {
    const timers = handTimers()
    const batches: (readonly number[])[] = []
    const state = { isLast: false, written: 0, problem: undefined as Error | undefined }
    const batcher = new Batcher<number>({
      timers,
      isLast: () => state.isLast,
      onWritten: () => {
        state.written++
      },
      async write(batch) {
        await nextTurn()
        if (state.problem) throw state.problem
        batches.push(batch)
      },
    })
    const add = (count: number) => {
      for (let item = 0; item < count; item++) {
        batcher.add(item)
        batcher.schedule()
      }
    }
    /** Waits for the end of the current batch. */
    const settle = async () => {
      for (const written = state.written; state.written === written; ) await nextTurn()
    }
    return { batcher, batches, timers, state, add, settle }
  }

  it('collects the items of an interval and writes them together', async () => {
    const { batcher, batches, timers, add, settle } = setting()
    add(3)
    expect(timers.waiting).to.deep.equal([COLLECTING])
    expect(batcher.isEmpty).to.equal(false)
    timers.pass(COLLECTING)
    await settle()
    expect(batches).to.deep.equal([[0, 1, 2]])
    expect(batcher.isEmpty).to.equal(true)
  })

  it('writes a full batch at once, and collects further items after it', async () => {
    const { batches, timers, add, settle } = setting()
    add(FULL + 1)
    await settle()
    expect(batches.map(({ length }) => length)).to.deep.equal([FULL])
    expect(timers.waiting).to.deep.equal([COLLECTING])
  })

  it('writes the last items at once when it ends, including those added during a write', async () => {
    const { batches, timers, state, add, settle } = setting()
    state.isLast = true
    add(2)
    await settle()
    await settle()
    expect(batches).to.deep.equal([[0], [1]])
    expect(timers.waiting).to.deep.equal([])
  })

  it('drops all items after a failed write, and keeps its error', async () => {
    const { batcher, batches, state, add, settle } = setting()
    state.problem = new Error('The disk is full')
    add(FULL + 1)
    await settle()
    expect(batcher.failures).to.deep.equal([state.problem])
    expect(batcher.isEmpty).to.equal(true)
    expect(batches).to.deep.equal([])
  })
})
