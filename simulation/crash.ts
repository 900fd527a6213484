/**
 * `npm run long -- crash [--kills 100] [--seed N] [--database sqlite|postgres|pgbouncer]`
 *
 * Kills `payctl serve` under load repeatedly, and checks that no payment is lost or taken twice. Exits 1 if a check
 * fails.
 */
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { crash } from '../test/crash/driver.js'
import { checkInTemporaryPlace, tell } from './temporary-place.js'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '100' },
    seed: { type: 'string', default: String(randomInt(2 ** 32)) },
    database: { type: 'string', default: 'sqlite' },
  },
})
const kills = Number(values.kills)
const seed = Number(values.seed)
tell(`${kills} kills on ${values.database}, seed ${seed}`)

await checkInTemporaryPlace(values.database, async (place) => {
  const { known, problems } = await crash({ place, kills, seed, tell })
  const { payments, refunds, replays, refused } = known
  tell(`acknowledged: ${payments.length} payments, ${refunds.length} refunds; refused: ${refused} refunds`)
  for (const status of ['processed', 'authorized', 'voided', 'declined'])
    tell(`  ${status}: ${payments.filter((payment) => payment.status === status).length}`)
  tell(`answered again after a crash: ${replays}`)
  for (const problem of problems) tell(`WRONG: ${problem}`)
  tell(problems.length === 0 ? 'Nothing is lost, nothing is there twice, the books balance.' : `seed ${seed}`)
  return problems.length === 0
})
