/**
 * `npm run crash -- [--kills 100] [--seed N] [--database sqlite|postgres]`: kills `payctl serve` under load again and
 * again, and finds out whether anything was lost or done twice. Exit 1 when something is wrong.
 */
import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { crash } from '../test/crash/driver.js'
import type { Place } from '../test/support/databases.js'
import { emptyDatabase, stopPostgres } from '../test/support/postgres.js'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '100' },
    seed: { type: 'string', default: String(randomInt(2 ** 32)) },
    database: { type: 'string', default: 'sqlite' },
  },
})
const [kills, seed] = [Number(values.kills), Number(values.seed)]
tell(`${kills} kills on ${values.database}, seed ${seed}`)

const home = mkdtempSync(join(tmpdir(), 'payctl-crash-'))
try {
  const { known, problems } = await crash({ place: await placeIn(home), kills, seed, tell })
  const { payments, refunds, replays, refused } = known
  tell(`acknowledged: ${payments.length} payments, ${refunds.length} refunds; refused: ${refused} refunds`)
  for (const status of ['processed', 'authorized', 'voided', 'declined'])
    tell(`  ${status}: ${payments.filter((payment) => payment.status === status).length}`)
  tell(`answered again after a crash: ${replays}`)
  for (const problem of problems) tell(`WRONG: ${problem}`)
  tell(problems.length === 0 ? 'Nothing is lost, nothing is there twice, the books balance.' : `seed ${seed}`)
  process.exitCode = problems.length === 0 ? 0 : 1
} finally {
  await stopPostgres()
  rmSync(home, { recursive: true, force: true })
}

async function placeIn(home: string): Promise<Place> {
  if (values.database === 'postgres') return { dialect: 'postgres', home, databaseUrl: await emptyDatabase() }
  return { dialect: 'sqlite', home }
}

function tell(line: string): void {
  process.stdout.write(`${line}\n`)
}
