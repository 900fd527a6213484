/**
 * `npm run long -- compare [--seed N] [--operations 10000]`
 *
 * Runs the same random sequence of operations on SQLite and on PostgreSQL. Exits 1 if an answer differs by a byte.
 */
import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { emptyDatabase, stopPostgres } from '../test/support/postgres.js'
import { answersOf } from './answers.js'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    operations: { type: 'string', default: '10000' },
  },
})
const seed = Number(values.seed)
const operations = Number(values.operations)

const homes = ['sqlite', 'postgres'].map((dialect) =>
  mkdtempSync(join(tmpdir(), `payctl-compare-${dialect}-`)),
)
const [first = '', second = ''] = homes
try {
  const databaseUrl = await emptyDatabase()
  const [ours, theirs] = await Promise.all([
    answersOf({ dialect: 'sqlite', home: first }, seed, operations),
    answersOf({ dialect: 'postgres', home: second, databaseUrl }, seed, operations),
  ])
  const differing = ours.findIndex((answer, index) => answer !== theirs[index])
  if (differing >= 0 || ours.length !== theirs.length) {
    process.stdout.write(
      `seed ${seed}: answer ${differing} differs\n${ours[differing]}\n${theirs[differing]}\n`,
    )
    process.exitCode = 1
  } else process.stdout.write(`seed ${seed}: ${ours.length} answers are the same to the byte\n`)
} finally {
  await stopPostgres()
  for (const home of homes) rmSync(home, { recursive: true, force: true })
}
