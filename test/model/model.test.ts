import { randomInt } from 'node:crypto'
import { expect } from 'chai'
import fc from 'fast-check'
import { booksOf } from '../domain/payments/books.js'
import { audit } from '../support/audit/audit.js'
import { readKept } from '../support/audit/kept.js'
import { openCore, type TestCore } from '../support/core.js'
import { onDatabases } from '../support/databases.js'
import { prices } from './actions.js'
import { commands } from './commands.js'
import { booksOfModel, type Model } from './model.js'
import { openService } from './service.js'

const RUNS = 40
const MOST_COMMANDS = 25

describe('any sequence of commands', () => {
  onDatabases((open) => {
    let core: TestCore
    before(async () => {
      core = await openCore(open)
    })

    it('gives the same results as a small model of the money rules', async () => {
      const sequences = fc.commands(commands, { maxCommands: MOST_COMMANDS, size: 'max' })
      const property = fc.asyncProperty(prices, sequences, async (price, sequence) => {
        const model: Model = { price, transactions: [] }
        const service = await openService(core, price)
        await fc.asyncModelRun(async () => ({ model, real: { service, keyed: [] } }), sequence)
        expect(await booksOf(core, service.processingId)).to.deep.equal(booksOfModel(model))
      })
      // A failed sequence is shrunk, and reported with its seed and path.
      await fc.assert(property, { numRuns: RUNS, seed: randomInt(2 ** 31) })

      const handle = core.environment.core
      expect(audit(await handle.write(({ tx }) => readKept(tx)))).to.deep.equal([])
    })
  })
})
