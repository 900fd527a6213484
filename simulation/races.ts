/**
 * `npm run long -- races [--rounds 50] [--serves 4] [--clients 64] [--seed N] [--database postgres|sqlite]`
 *
 * Sends requests that exclude each other to several `payctl serve` on one database. Exits 1 if a check fails, or an
 * answer takes more than five seconds.
 */
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { runRaces } from './races/run-races.js'
import { checkInTemporaryPlace, tell } from './temporary-place.js'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '50' },
    serves: { type: 'string', default: '4' },
    clients: { type: 'string', default: '64' },
    seed: { type: 'string', default: String(randomInt(2 ** 32)) },
    database: { type: 'string', default: 'postgres' },
  },
})
/** Maximal duration of an answer, in milliseconds. */
const LONGEST = 5_000

const rounds = Number(values.rounds)
const serves = Number(values.serves)
const clients = Number(values.clients)
const seed = Number(values.seed)
tell(`${rounds} rounds by ${serves} serves on ${values.database}, ${clients} clients, seed ${seed}`)

await checkInTemporaryPlace(values.database, async (place) => {
  const now = () => performance.now()
  const report = await runRaces({ place, rounds, serves, clients, seed, now, tell })
  const { problems, slowest, busy, events, twice, kills } = report
  tell(
    `${kills} kills; ${events} events, ${twice} of them told again; ${busy.length} answers asked to come back`,
  )
  for (const answer of new Set(busy)) tell(`  ${answer.slice(0, 160)}`)
  for (const { what, milliseconds } of slowest)
    tell(`${milliseconds > LONGEST ? 'WRONG: ' : ''}${Math.round(milliseconds)} ms: ${what.slice(0, 100)}`)
  for (const problem of problems) tell(`WRONG: ${problem}`)
  tell(problems.length === 0 ? 'Each race had one winner, and the books balance.' : `seed ${seed}`)
  return problems.length === 0 && (slowest[0]?.milliseconds ?? 0) <= LONGEST
})
