/**
 * `npm run long -- fuzz [--requests N] [--seed N] [--database sqlite|postgres] [--tell]`
 *
 * Sends requests generated from the OpenAPI document to a service with existing objects, in rounds with a new database
 * each. Exits 1 if there are findings.
 */
import { randomInt } from 'node:crypto'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { stopPostgres } from '../test/support/postgres.js'
import { fuzz } from './fuzz/fuzz.js'
import { inTemporaryPlace, tell } from './temporary-place.js'

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '20000' },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    database: { type: 'string', default: 'sqlite' },
    round: { type: 'string', default: '20000' },
    tell: { type: 'boolean', default: false },
  },
})

/** Milliseconds of processor time beyond which an answer counts as too slow. */
const SLOW = 5_000

const all = Number(values.requests)
const counted = new Map<number, number>()
try {
  for (let seed = Number(values.seed), left = all; left > 0; seed++, left -= Number(values.round))
    await round(seed, Math.min(left, Number(values.round)))
  const told = [...counted].sort(([a], [b]) => a - b).map(([status, times]) => `${status}: ${times}`)
  tell(`${all} requests (${told.join(', ')})${process.exitCode === 1 ? '' : ', nothing found'}`)
} finally {
  await stopPostgres()
}

async function round(seed: number, requests: number): Promise<void> {
  await inTemporaryPlace(values.database, async (place) => {
    const { findings, statuses, growth } = await fuzz({
      place,
      seed,
      requests,
      slowMilliseconds: SLOW,
      ...(values.tell ? { tell: (number, request) => tell(`${number} ${JSON.stringify(request)}`) } : {}),
    })
    for (const [status, times] of statuses) counted.set(status, (counted.get(status) ?? 0) + times)
    tell(
      `seed ${seed}: ${requests} requests; heap ${megabytes(growth.heap)}, resident ${megabytes(growth.resident)}`,
    )
    for (const { number, request, problem, more } of findings) {
      process.exitCode = 1
      tell(`FOUND at ${number ?? 'the end'} (and ${more} more): ${problem.slice(0, 1_500)}`)
      if (request) tell(`  ${JSON.stringify(request).slice(0, 2_000)}`)
    }
  })
}

function megabytes(bytes: number): string {
  return `${bytes < 0 ? '' : '+'}${(bytes / 2 ** 20).toFixed(1)} MB`
}
