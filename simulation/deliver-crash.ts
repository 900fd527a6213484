/**
 * `npm run deliver-crash -- [--kills 10] [--events 10000] [--seed N] [--database sqlite|postgres]`: kills
 * `payctl serve` again and again while it tells webhooks what happened, and finds out whether all of it arrived.
 */
import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { crashDelivery } from '../test/domain/webhooks/crash/driver.js'
import { emptyDatabase, stopPostgres } from '../test/support/postgres.js'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '10' },
    events: { type: 'string', default: '10000' },
    seed: { type: 'string', default: String(randomInt(2 ** 32)) },
    database: { type: 'string', default: 'sqlite' },
  },
})
const [kills, events, seed] = [Number(values.kills), Number(values.events), Number(values.seed)]
tell(`${kills} kills, ${events} events on ${values.database}, seed ${seed}`)

const home = mkdtempSync(join(tmpdir(), 'payctl-crash-'))
try {
  const place =
    values.database === 'postgres'
      ? { dialect: 'postgres' as const, home, databaseUrl: await emptyDatabase() }
      : { dialect: 'sqlite' as const, home }
  const arrived = await crashDelivery({ place, events, kills, seed, longest: 5_000, tell })
  const { missing, unknown, isMixed, twice } = arrived
  tell(`${arrived.events} events; ${twice} came again after they had been taken`)
  const isRight = missing.length === 0 && unknown.length === 0 && !isMixed
  tell(isRight ? 'Every event arrived.' : `WRONG: ${missing.length} missing, ${unknown.length} unknown`)
  process.exitCode = isRight ? 0 : 1
} finally {
  await stopPostgres()
  rmSync(home, { recursive: true, force: true })
}

function tell(line: string): void {
  process.stdout.write(`${line}\n`)
}
