import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect } from 'chai'
import { CommitGroups, type Sharing } from '../../../../src/engine/store/postgres/commit-groups.js'
import type { Joining } from '../../../../src/engine/store/postgres/shared-transaction.js'

const work: Joining = {
  left: () => 1_000,
  run: async () => () => undefined,
  apart: async () => undefined,
  fail: () => undefined,
}

/** Timers that never fire, so the next group never starts because of elapsed time. */
const stopped = { after: () => () => undefined }

describe('groups of units of work', () => {
  it('start after the previous group has decided its outcomes, while it is still being written', async () => {
    const sizes: number[] = []
    const begun: Sharing[] = []
    const groups = new CommitGroups(async (sharing) => {
      begun.push(sharing)
      sizes.push(sharing.take().length)
      await new Promise(() => undefined)
    }, stopped)
    const join = async (count: number) => {
      for (let n = 0; n < count; n++) groups.join(work)
      for (let turn = 0; turn < 10; turn++) await nextTurn()
    }
    await join(3)
    await join(2)
    expect(sizes).to.deep.equal([3])
    begun[0]?.decided()
    await join(0)
    expect(sizes).to.deep.equal([3, 2])
    await join(4)
    begun[0]?.decided()
    await join(0)
    expect(sizes).to.deep.equal([3, 2])
  })
})
