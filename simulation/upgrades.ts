/**
 * `npm run upgrades -- [--from REF,REF] [--database sqlite|postgres]`: keeps books by the code of older commits, by default of the
 * last one before each change of the schema, and opens each with this code. Exit 1 when `verify` finds something, an answer to a
 * repeated request differs by a byte, or an object or an attribute has gone or changed.
 */
import process from 'node:process'
import { parseArgs } from 'node:util'
import { stopPostgres } from '../test/support/postgres.js'
import { inTemporaryPlace, tell } from './temporary-place.js'
import { inTreeOf, refsBeforeMigrations } from './upgrades/older-trees.js'
import { upgrade } from './upgrades/upgrade.js'

const { values } = parseArgs({
  options: { from: { type: 'string' }, database: { type: 'string', default: 'sqlite' } },
})
const refs = values.from?.split(',') ?? refsBeforeMigrations()
tell(`books of ${refs.length} older commits, on ${values.database}`)

try {
  for (const ref of refs) {
    const { last, examined, compared, problems } = await inTreeOf(ref, (tree) =>
      inTemporaryPlace(values.database, (place) => upgrade(tree, place)),
    )
    tell(
      `${ref}, ${last}: ${examined} examined by verify, ${compared} objects compared, ${problems.length} problems`,
    )
    for (const problem of problems.slice(0, 20)) tell(`WRONG: ${problem.slice(0, 500)}`)
    if (problems.length > 0) process.exitCode = 1
  }
} finally {
  await stopPostgres()
}
