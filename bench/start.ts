import { median, ratio } from './median.js'
import { runNode } from './processes.js'
import { cpuOf } from './sample.js'
import type { Setting } from './setting.js'
import type { Row } from './table.js'

const ROUNDS = 30
const SHORT_ROUNDS = 10

/** Compares a payctl command that reads one row with an empty start of Node. */
export function measureStart({ home, bin, transactionId, isShort }: Setting): Row[] {
  const command = () => runNode([bin, 'transactions', 'get', transactionId, '--json'], home)
  const nothing = () => runNode(['-e', '0'], home)
  command()
  nothing()
  const rounds = Array.from({ length: isShort ? SHORT_ROUNDS : ROUNDS }, () => ({
    theirs: nothing(),
    ours: command(),
  }))
  const ours = rounds.map((round) => round.ours.milliseconds)
  const theirs = rounds.map((round) => round.theirs.milliseconds)
  return [
    {
      what: '`payctl transactions get ID`',
      reference: '`node -e 0`',
      ours: `${Math.round(median(ours))} ms`,
      theirs: `${Math.round(median(theirs))} ms`,
      ratio: ratio(ours, theirs),
      cpu: cpuOf(
        rounds.map((round) => round.ours),
        rounds.map((round) => round.theirs),
      ),
      goal: { most: 3.4 },
    },
  ]
}
