/**
 * `npm run long -- rotate-crash [--kills 25] [--seed N] [--database sqlite|postgres]`
 *
 * Kills `payctl vault rotate` repeatedly while `payctl serve` takes payments. Then checks that every card number can be
 * decrypted. Exits 1 if a check fails.
 */
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { killRotations } from '../test/crash/rotations.js'
import { checkInTemporaryPlace, tell } from './temporary-place.js'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '25' },
    seed: { type: 'string', default: String(randomInt(2 ** 32)) },
    database: { type: 'string', default: 'sqlite' },
  },
})
const kills = Number(values.kills)
const seed = Number(values.seed)
tell(`${kills} kills on ${values.database}, seed ${seed}`)

await checkInTemporaryPlace(values.database, async (place) => {
  const report = await killRotations({ place, kills, seed, tell })
  const { payments, opened, brokenOff, problems } = report
  tell(`${payments} payments, ${brokenOff} rotations broken off, ${opened} values opened`)
  for (const problem of problems) tell(`WRONG: ${problem}`)
  tell(problems.length === 0 ? 'Every number opens, nothing is under an older key.' : `seed ${seed}`)
  return problems.length === 0
})
