import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect } from 'chai'
import { yieldingReads } from '../../../src/engine/core/write/yielding-reads.js'
import type { WorkRunner } from '../../../src/engine/jobs/due-job.js'
import { openCore } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'

const READS = 20

/** Number of turns that other work of the process has during several reads. */
async function turnsDuring(read: WorkRunner['read']): Promise<number> {
  let turns = 0
  let isOver = false
  const other = (async () => {
    for (; !isOver; turns++) await nextTurn()
  })()
  for (let n = 0; n < READS; n++) await read(async (work) => work.now)
  isOver = true
  await other
  return turns
}

onDatabases('locks', (open) => {
  describe('many reads, one after another', () => {
    it('leave other work a turn before each of them', async () => {
      const { environment } = await openCore(open)
      expect(await turnsDuring(yieldingReads(environment.core.read))).to.be.least(READS)
    })
  })
})
