/**
 * `npm run long -- simulation [--seed N] [--days D] [--accounts A] [--runs R] [--database sqlite|postgres]`
 *
 * Runs the shipped core under a virtual clock, with random operations, crashes, and a gateway that loses answers. Exits
 * 1 if a rule is broken.
 */
import { randomInt } from 'node:crypto'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { stopPostgres } from '../test/support/postgres.js'
import { simulate } from './simulate.js'
import { inTemporaryPlace, tell } from './temporary-place.js'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    days: { type: 'string', default: '365' },
    accounts: { type: 'string', default: '5' },
    operations: { type: 'string', default: '8' },
    runs: { type: 'string', default: '1' },
    database: { type: 'string', default: 'sqlite' },
  },
})
const first = Number(values.seed)
const days = Number(values.days)
const accounts = Number(values.accounts)
const operations = Number(values.operations)

try {
  let years = 0
  for (let seed = first; seed < first + Number(values.runs) && process.exitCode !== 1; seed++) {
    if (await isWrong(seed)) process.exitCode = 1
    else years += (accounts * days) / 365
  }
  tell(`${Math.round(years)} account-years, no rule broken`)
} finally {
  await stopPostgres()
}

async function isWrong(seed: number): Promise<boolean> {
  return await inTemporaryPlace(values.database, async (place) => {
    const { failed, ...done } = await simulate({
      place,
      seed,
      days,
      accounts,
      operations,
    })
    tell(`seed ${seed}: ${done.operations} operations, ${done.crashes} crashes`)
    if (!failed) return false
    for (const problem of failed.problems.slice(0, 20)) tell(`WRONG on day ${failed.day}: ${problem}`)
    for (const operation of failed.last) tell(`  ${operation}`)
    tell(`--seed ${seed} --days ${failed.day} --accounts ${accounts} --operations ${operations} replays it`)
    return true
  })
}
