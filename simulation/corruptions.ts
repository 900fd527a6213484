/**
 * `npm run long -- corruptions [--size N] [--seed N] [--stories N] [--database sqlite|postgres]`
 *
 * Corrupts valid books in every way that follows from the declarations, in every sealed table, and runs verify each
 * time. Prints how many corruptions of each kind and of each table were found. Exits 1 if verify reports valid books as
 * corrupt, or finds less than 95 % of any kind. The same limit applies to each control table: tables about permissions,
 * or about where money and events go.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import type { Place } from '../test/support/databases.js'
import { emptyDatabase, stopPostgres } from '../test/support/postgres.js'
import { KINDS, TABLES } from './corruptions/corruption.js'
import { controlTables, unsealedTables } from './corruptions/counted-columns.js'
import { keepHonestBooks } from './corruptions/honest-books.js'
import { type Measured, measureCorruptions } from './corruptions/measure.js'

const { values } = parseArgs({
  options: {
    size: { type: 'string', default: '500' },
    seed: { type: 'string', default: '1' },
    stories: { type: 'string', default: '400' },
    database: { type: 'string', default: 'sqlite' },
    /** Whether to print the corruptions that verify did not find. */
    unseen: { type: 'boolean', default: false },
  },
})
const LEAST = 0.95
const CONTROL = controlTables()
const seed = Number(values.seed)
const home = mkdtempSync(join(tmpdir(), 'payctl-corruptions-'))
try {
  const place: Place =
    values.database === 'postgres'
      ? { dialect: 'postgres', home, databaseUrl: await emptyDatabase() }
      : { dialect: 'sqlite', home }
  await keepHonestBooks({ place, seed, stories: Number(values.stories) })
  const measured = await measureCorruptions({ place, seed, size: Number(values.size) })
  for (const kind of KINDS)
    tellOf(
      kind,
      measured.filter((one) => one.kind === kind),
    )
  for (const table of TABLES) tellOfTable(table, measured)
  for (const [table, reason] of unsealedTables()) tell(`${table}: not sealed. ${reason}.`)
  if (values.unseen) tellUnseen(measured)
} finally {
  rmSync(home, { recursive: true, force: true })
  await stopPostgres()
}

function tellOf(kind: string, measured: readonly Measured[]): void {
  const found = measured.filter((one) => one.found).length
  tell(`${kind}: ${found} of ${measured.length} found`)
  if (found < LEAST * measured.length) process.exitCode = 1
}

/** Prints how many corruptions of a table were found. Control tables must reach 95 %. */
function tellOfTable(table: string, measured: readonly Measured[]): void {
  const those = measured.filter(({ place }) => place === table || place.startsWith(`${table}.`))
  const found = those.filter((one) => one.found).length
  const isControl = CONTROL.includes(table)
  tell(`${table}${isControl ? ' (control)' : ''}: ${found} of ${those.length} found`)
  if (isControl && found < LEAST * those.length) process.exitCode = 1
}

function tellUnseen(measured: readonly Measured[]): void {
  const places = [...new Set(measured.map(({ kind, place }) => `${kind} ${place}`))].sort()
  for (const place of places) {
    const those = measured.filter((one) => `${one.kind} ${one.place}` === place)
    const unseen = those.filter((one) => !one.found)
    const [first] = unseen
    if (first)
      tell(`  ${place}: ${unseen.length} of ${those.length} unseen, such as ${first.what.slice(0, 150)}`)
  }
}

function tell(line: string): void {
  process.stdout.write(`${line}\n`)
}
