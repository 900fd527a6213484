/**
 * `npm run long -- gateway-kills [--kills 20] [--rail stripe] [--both] [--seed N] [--database sqlite|postgres]`
 *
 * Kills `payctl serve` at every step of an operation (intent, call, outcome), then compares the rail's books with ours.
 * `--kills` is the number of kills at each step. With `--both`, the rail is another `payctl serve`, which is killed as
 * often. Exits 1 if a check fails.
 */
import { randomInt } from 'node:crypto'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { RAILS } from '../test/gateways/contract/wire-servers.js'
import { killAtSteps } from './gateways/kill-at-steps.js'
import { checkInTemporaryPlace, inTemporaryPlace, tell } from './temporary-place.js'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '20' },
    rail: { type: 'string' },
    both: { type: 'boolean', default: false },
    seed: { type: 'string', default: String(randomInt(2 ** 32)) },
    database: { type: 'string', default: 'sqlite' },
  },
})
const kills = Number(values.kills)
const seed = Number(values.seed)
const { database, both: isPeerKilled } = values
const rail = isPeerKilled ? 'peer' : values.rail
tell(`${kills} kills at each step, on ${database}, seed ${seed}`)

let isRight = true
for (const kind of RAILS.filter((each) => rail === undefined || each === rail))
  await checkInTemporaryPlace(database, (place) =>
    inTemporaryPlace('sqlite', async (other) => {
      const peerPlace = async () => other
      const report = await killAtSteps({ kind, place, peerPlace, kills, isPeerKilled, seed, tell })
      for (const problem of report.problems) tell(`WRONG: ${problem}`)
      tell(`${kind}: ${report.kills} kills, ${report.payments} payments, ${report.problems.length} problems`)
      isRight &&= report.problems.length === 0
      return isRight
    }),
  )
process.exitCode = isRight ? 0 : 1
