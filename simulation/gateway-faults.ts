/**
 * `npm run long -- gateway-faults [--payments 10000] [--percent 10] [--rail stripe] [--seed N] [--database
 * sqlite|postgres]`
 *
 * Takes payments over a network on which `--percent` of the requests fail in various ways. Exits 1 if the rail's books
 * differ from ours.
 */
import { randomInt } from 'node:crypto'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { RAILS } from '../test/gateways/contract/wire-servers.js'
import { mixedFaults } from './gateways/mixed-faults.js'
import { checkInTemporaryPlace, inTemporaryPlace, tell } from './temporary-place.js'

const { values } = parseArgs({
  options: {
    payments: { type: 'string', default: '10000' },
    percent: { type: 'string', default: '10' },
    rail: { type: 'string' },
    seed: { type: 'string', default: String(randomInt(2 ** 32)) },
    database: { type: 'string', default: 'sqlite' },
  },
})
const payments = Number(values.payments)
const percent = Number(values.percent)
const seed = Number(values.seed)
const { database, rail } = values
tell(`${payments} payments with ${percent} % faults, on ${database}, seed ${seed}`)

let isRight = true
for (const kind of RAILS.filter((each) => rail === undefined || each === rail))
  await checkInTemporaryPlace(database, (place) =>
    inTemporaryPlace('sqlite', async (other) => {
      const peerPlace = async () => other
      const report = await mixedFaults({ kind, place, peerPlace, payments, percent, seed, tell })
      for (const problem of report.problems) tell(`WRONG: ${problem}`)
      const { faults, exceptions, outcomes, problems } = report
      tell(`${kind}: ${JSON.stringify(outcomes)}`)
      tell(`${kind}: ${faults} faults, exceptions ${JSON.stringify(exceptions)}, ${problems.length} problems`)
      isRight &&= problems.length === 0
      return isRight
    }),
  )
process.exitCode = isRight ? 0 : 1
