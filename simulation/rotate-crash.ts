/**
 * `npm run rotate-crash -- [--kills 25] [--seed N] [--database sqlite|postgres]`: kills `payctl vault rotate` again and
 * again while `payctl serve` takes payments, and finds out whether every number opens. Exit 1 when something is wrong.
 */
import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { killRotations } from '../test/crash/rotations.js'
import type { Place } from '../test/support/databases.js'
import { emptyDatabase, stopPostgres } from '../test/support/postgres.js'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '25' },
    seed: { type: 'string', default: String(randomInt(2 ** 32)) },
    database: { type: 'string', default: 'sqlite' },
  },
})
const [kills, seed] = [Number(values.kills), Number(values.seed)]
tell(`${kills} kills on ${values.database}, seed ${seed}`)

const home = mkdtempSync(join(tmpdir(), 'payctl-rotations-'))
try {
  const report = await killRotations({ place: await placeIn(home), kills, seed, tell })
  const { payments, opened, brokenOff, problems } = report
  tell(`${payments} payments, ${brokenOff} rotations broken off, ${opened} values opened`)
  for (const problem of problems) tell(`WRONG: ${problem}`)
  tell(problems.length === 0 ? 'Every number opens, nothing is under an older key.' : `seed ${seed}`)
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
