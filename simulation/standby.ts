/**
 * `npm run long -- standby [--rounds 5] [--seed N]`
 *
 * Kills PostgreSQL under load and promotes its synchronous standby, while `payctl serve` runs on. Exits 1 if an
 * acknowledged payment is lost or taken twice, or if no payment is taken for more than 30 seconds.
 */
import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { failOver } from './standby/fail-over.js'
import { tell } from './temporary-place.js'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seed: { type: 'string', default: String(randomInt(2 ** 32)) },
  },
})
const MAX_INTERRUPTED = 30_000

let longest = 0
for (let round = 0; round < Number(values.rounds); round++) {
  const home = mkdtempSync(join(tmpdir(), 'payctl-standby-'))
  const seed = Number(values.seed) + round
  try {
    const { known, interrupted, problems } = await failOver(home, seed)
    longest = Math.max(longest, interrupted)
    const seconds = (interrupted / 1_000).toFixed(1)
    tell(
      `seed ${seed}: ${known.payments.length} payments acknowledged, none for ${seconds} s, ${problems.length} problems`,
    )
    for (const problem of problems) tell(`WRONG: ${problem}`)
    if (problems.length > 0 || interrupted > MAX_INTERRUPTED) process.exitCode = 1
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}
tell(`longest interruption ${(longest / 1_000).toFixed(1)} s`)
