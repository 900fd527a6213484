import { expect } from 'chai'
import { raiseException } from '../../../src/domain/exceptions/raise-exception.js'
import { storeSettlement } from '../../../src/domain/settlements/store-settlement.js'
import type { GatewaySettlement } from '../../../src/gateways/contract.js'
import { remoteSimulator } from '../../../src/gateways/simulator/remote-simulator.js'
import { openCore, type TestCore, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { runnerBefore } from '../../support/runner-before.js'

const GATEWAY = { ...remoteSimulator(), name: 'up' }

describe('a settlement that two processes store, one of which knows more payments', () => {
  onDatabases('locks', (open) => {
    it('has each line once, wherever the two stop', async () => {
      const core = await openCore(open)
      let runs = 0
      // The first one stops before each of its units of work. Then the second one stops before each of its own.
      for (let first = 0, ofFirst = 0; first <= ofFirst; first++)
        for (let second = 0, ofSecond = 0; second <= ofSecond; second++) {
          const batch = settlementOf(runs++)
          const one = stoppedBefore(core, first)
          const stored = storeSettlement(one.runner, GATEWAY, batch)
          await Promise.race([one.stopped, stored])
          await makeKnown(core, runs - 1)
          const two = stoppedBefore(core, second)
          const alsoStored = storeSettlement(two.runner, GATEWAY, batch)
          await Promise.race([two.stopped, alsoStored])
          ofFirst = Math.max(ofFirst, await one.ended(stored))
          ofSecond = Math.max(ofSecond, await two.ended(alsoStored))
          await storeSettlement(core.environment.core, GATEWAY, batch)
          expect(await storedOf(core, batch), `units ${first} and ${second}`).to.deep.equal({
            status: 'complete',
            sum: batch.gross,
            uncounted: 0,
          })
        }
      const raised = valuesOf(await core.ok('GET', '/admin/exceptions', undefined, { query: 'limit=1000' }))
      expect(raised.filter(({ kind }) => kind === 'settlement_differs')).to.deep.equal([])
    })
  })
})

/** A process that stops before the unit of work number `at`, until `ended` is called. */
function stoppedBefore(core: TestCore, at: number) {
  const stopped = Promise.withResolvers<void>()
  const goesOn = Promise.withResolvers<void>()
  let units = 0
  const next = async () => {
    if (units++ !== at) return
    stopped.resolve()
    await goesOn.promise
  }
  const runner = runnerBefore(core, { read: next, write: next })
  /** Ends the process; returns its number of units of work. */
  const ended = async (work: Promise<unknown>): Promise<number> => {
    goesOn.resolve()
    await work
    return units
  }
  return { runner, stopped: stopped.promise, ended }
}

/** A settlement with two chargebacks of payments that are not known here. */
function settlementOf(run: number): GatewaySettlement {
  const chargeback = (name: string, amount: number) =>
    ({ id: `${name}_${run}`, kind: 'chargeback', amount, fee: null, gatewayId: `dp_${name}_${run}` }) as const
  return {
    id: `po_${run}`,
    currency: 'USD',
    gross: -3000,
    fees: null,
    net: -3000,
    settledAt: '2030-01-15 17:00:00',
    lines: [chargeback('a', -1000), chargeback('b', -2000)],
  }
}

/** Handles a notification about the first chargeback, which is then no longer a foreign one. */
async function makeKnown(core: TestCore, run: number): Promise<void> {
  await core.environment.core.write(async (work) => {
    await raiseException(work, {
      kind: 'unknown_payment',
      about: `chargeback up dp_a_${run}`,
      gateway: 'up',
      gatewayId: `dp_a_${run}`,
      amount: 1000,
      direction: 'taken',
      explanation: 'The payment is not here',
    })
  })
}

async function storedOf(core: TestCore, { id }: GatewaySettlement) {
  return await core.environment.core.read(async ({ tx }) => {
    const rows = await tx.db
      .selectFrom('admin_settlement_lines as l')
      .innerJoin('admin_settlements as s', 's.id', 'l.settlement_id')
      .select(['s.status', 's.line_count', 'l.amount'])
      .where('s.gateway_id', '=', id)
      .execute()
    const sum = rows.reduce((all, { amount }) => all + (amount ?? 0), 0)
    const uncounted = rows.length - (rows[0]?.line_count ?? 0)
    return { status: rows[0]?.status, sum, uncounted }
  })
}
