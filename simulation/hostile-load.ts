/**
 * `npm run long -- hostile-load [--sign-ups N] [--visits N] [--names N] [--silent N] [--payments N]`
 *
 * Attacks a separate `payctl serve` while it takes payments. Exits 1 if a payment is refused, or if the 99th percentile
 * of their durations is more than five times the usual one.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { hostileTarget } from '../test/support/hostile-target.js'
import { hostileLoad, p99 } from './hostile-load/hostile-load.js'

const { values } = parseArgs({
  options: {
    'sign-ups': { type: 'string', default: '1000' },
    visits: { type: 'string', default: '10000' },
    names: { type: 'string', default: '250000' },
    silent: { type: 'string', default: '1500' },
    payments: { type: 'string', default: '300' },
  },
})

const MAX_SLOWER = 5

const home = mkdtempSync(join(tmpdir(), 'payctl-hostile-'))
const { target, stop } = await hostileTarget({ dialect: 'sqlite', home })
try {
  const sizes = {
    signUps: Number(values['sign-ups']),
    pageVisits: Number(values.visits),
    names: Number(values.names),
    silentConnections: Number(values.silent),
  }
  const found = await hostileLoad(target, sizes, Number(values.payments), () => performance.now())
  const [usual] = found
  for (const beside of found) {
    const isGood = usual && beside.refused.length === 0 && p99(beside) <= MAX_SLOWER * p99(usual)
    if (!isGood) process.exitCode = 1
    const counts = `${beside.durations.length} payments, ${beside.refused.length} refused`
    process.stdout.write(
      `${isGood ? 'ok' : 'FAILED'} beside ${beside.what}: ${counts}, p99 ${p99(beside).toFixed(1)} ms\n`,
    )
  }
} finally {
  await stop()
  rmSync(home, { recursive: true, force: true })
}
