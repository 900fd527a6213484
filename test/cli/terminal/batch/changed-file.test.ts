import { PassThrough } from 'node:stream'
import { expect } from 'chai'
import type { RequestedBatch } from '../../../../src/cli/terminal/batch/batch-job.js'
import { performBatch, type Stage } from '../../../../src/cli/terminal/batch/perform.js'
import { registry } from '../../../../src/cli/terminal/declarations/declared-registry.js'
import { UsageError } from '../../../../src/cli/terminal/failure/failure.js'
import { type Folder, openFolder } from '../../../support/batch-file.js'

describe('a file that is saved while the confirmation of its total is open', () => {
  let folder: Folder
  before(() => {
    folder = openFolder()
  })
  after(() => folder.remove())

  it('is refused, because its rows are not the confirmed rows', async () => {
    const from = folder.write('refunds.csv', 'payment,amount\ntxn_1,5.00\n')
    const sent: string[] = []
    const stage: Stage = {
      registry,
      dryRun: false,
      isWatched: false,
      async ask({ path, dryRun }) {
        if (!dryRun) sent.push(path)
        return { status: 200, body: {}, headers: {} }
      },
      checkLimit: async () => undefined,
      async confirm() {
        folder.write('refunds.csv', 'payment,amount\ntxn_1,5000.00\n')
      },
      agree: async () => undefined,
      say: () => undefined,
    }
    const job: RequestedBatch = {
      from,
      batchId: undefined,
      as: 'refund',
      options: {},
      key: undefined,
      goOn: false,
      redoEdited: false,
      pace: { concurrency: 1, 'stop-on-error': false },
      out: undefined,
      isSafe: true,
    }
    const failure: unknown = await performBatch(stage, job, new PassThrough()).catch(
      (error: unknown) => error,
    )
    expect(failure).to.be.instanceOf(UsageError)
    expect(String(failure)).to.contain('refunds.csv has changed since it was read; nothing was sent')
    expect(sent).to.deep.equal([])
  })
})
