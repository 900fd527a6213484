/**
 * `npm run long -- deliver-crash [--kills 10] [--events 10000] [--seed N] [--database sqlite|postgres]`
 *
 * Kills `payctl serve` repeatedly during deliveries to webhooks, and checks that every event arrived.
 */
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { crashDelivery } from '../test/domain/webhooks/crash/driver.js'
import { checkInTemporaryPlace, tell } from './temporary-place.js'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '10' },
    events: { type: 'string', default: '10000' },
    seed: { type: 'string', default: String(randomInt(2 ** 32)) },
    database: { type: 'string', default: 'sqlite' },
  },
})
const kills = Number(values.kills)
const events = Number(values.events)
const seed = Number(values.seed)
tell(`${kills} kills, ${events} events on ${values.database}, seed ${seed}`)

await checkInTemporaryPlace(values.database, async (place) => {
  const arrived = await crashDelivery({ place, events, kills, seed, longest: 5_000, tell })
  const { missing, unknown, isMixed, twice } = arrived
  tell(`${arrived.events} events; ${twice} came again after they had been taken`)
  const isRight = missing.length === 0 && unknown.length === 0 && !isMixed
  tell(isRight ? 'Every event arrived.' : `WRONG: ${missing.length} missing, ${unknown.length} unknown`)
  return isRight
})
