import { expect } from 'chai'
import { settlementJobs } from '../../../src/domain/funding/funding-operations.js'
import { runDueJobs } from '../../../src/engine/jobs/run-due-jobs.js'
import { millisecondsOf } from '../../../src/schema/datetime.js'
import type { JsonObject } from '../../../src/schema/json.js'
import { Business } from '../../support/business.js'
import { list } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { card, pay } from '../../support/examples.js'
import { runnerBefore } from '../../support/runner-before.js'

describe('a funding run during which another process begins the same work and stops', () => {
  onDatabases((open) => {
    /** Repeats a run for each of its reads, before which the other process makes a number of units of work. */
    async function atEachRead(repeated: Repeated): Promise<void> {
      let reads = 1
      for (let at = 0; at < reads; at++) {
        const business = await Business.open(open)
        const account = await business.account(repeated.settings)
        await repeated.prepare(business, account)
        business.at(repeated.until)
        reads = await runInterleaved(business, { ...repeated, at })
        // The next run completes a deposit that the other process began too late for this one.
        await business.run()
        const made = await business.all(account, repeated.makes)
        expect(
          made.map(({ status, amount }) => `${status} ${amount}`),
          `read ${at}`,
        ).to.deep.equal([repeated.of])
        expect(await business.audit()).to.deep.equal([])
      }
    }

    it('makes one deposit of the day', async () => {
      await atEachRead({
        ...DEPOSIT,
        prepare: async ({ core }, account) => await pay(core, account, 7),
        units: 1,
        of: 'processed 7',
      })
    })

    it('makes one deposit of the day if the transactions that the other one leaves add up to zero', async () => {
      await atEachRead({
        ...DEPOSIT,
        prepare: async ({ core }, account) => {
          // The other process adds these, which are one part of the deposit.
          const { payment_method_id = null } = await pay(core, account, 1)
          const one = { type: 'payment', amount: 1, processing_id: account, payment_method_id }
          await core.ok('POST', '/transactions', list(Array.from({ length: 15 }, () => one)))
          await pay(core, account, 7)
          const back = { type: 'credit', amount: 7, processing_id: account, payment_method: card() }
          await core.ok('POST', '/transactions', back)
        },
        units: 2,
        of: 'processed 16',
      })
    })

    it('completes the bill of the month', async () => {
      await atEachRead({
        settings: { billing_preference: 'billed_monthly' },
        prepare: async (prepared, account) => {
          await pay(prepared.core, account, 29.99)
          prepared.at('2030-01-20 12:00:00')
          await prepared.run()
        },
        until: '2030-02-02 12:00:00',
        makes: 'reversal',
        units: 2,
        of: 'processed 1.17',
      })
    })
  })
})

interface Repeated {
  readonly settings: JsonObject
  readonly prepare: (business: Business, account: string) => Promise<unknown>
  /** The datetime of the run. */
  readonly until: string
  readonly makes: 'deposit' | 'reversal'
  /** Units of work that the other process makes. */
  readonly units: number
  /** Status and amount of what the run makes. */
  readonly of: string
}

const DEPOSIT = {
  settings: { credit_trans_rate: 0, credit_trans_cost: 0 },
  until: '2030-01-16 12:00:00',
  makes: 'deposit',
} as const

/** Runs all due work; the other process works before the read number `at`. Returns the number of reads. */
async function runInterleaved(
  business: Business,
  { at, units, until }: Pick<Repeated, 'units' | 'until'> & { readonly at: number },
): Promise<number> {
  let reads = 0
  const runner = runnerBefore(business.core, {
    read: async () => {
      if (reads++ === at) await business.run({ units })
    },
  })
  await runDueJobs({ runner, jobs: settlementJobs(), until: millisecondsOf(until) })
  return reads
}
