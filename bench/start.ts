import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { median, ratio } from './median.js'
import type { Setting } from './setting.js'
import type { Row } from './table.js'

const ROUNDS = 30
const bin = fileURLToPath(new URL('../bin/run.js', import.meta.url))

/** A command that reads one row, against starting Node for nothing. */
export function measureStart({ home, transactionId }: Setting): Row[] {
  const ours: number[] = []
  const theirs: number[] = []
  const command = [bin, 'transactions', 'get', transactionId, '--json']
  timed(command, home)
  timed(['-e', '0'], home)
  for (let round = 0; round < ROUNDS; round++) {
    theirs.push(timed(['-e', '0'], home))
    ours.push(timed(command, home))
  }
  return [
    {
      what: 'payctl transactions get ID',
      reference: 'node -e 0',
      ours: `${Math.round(median(ours))} ms`,
      theirs: `${Math.round(median(theirs))} ms`,
      ratio: ratio(ours, theirs),
      goal: { most: 2 },
    },
  ]
}

/** Milliseconds that Node takes with these arguments, start to end. */
function timed(args: readonly string[], home: string): number {
  const before = performance.now()
  const { status, stderr } = spawnSync(process.execPath, args, {
    env: { ...process.env, PAYCTL_HOME: home },
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}: ${stderr}`)
  return performance.now() - before
}
