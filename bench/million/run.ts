/**
 * `npm run long -- bench-million`
 *
 * Compares pages of lists from a large database with prepared statements. Exits 1 if a goal is missed.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startPostgres } from '../../test/support/postgres-server.js'
import { met, type Row, render } from '../table.js'
import { measurePages } from './pages.js'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    database: { type: 'string', default: 'sqlite' },
  },
})
const sizes = { few: 10_000, many: Number(values.rows) }

/** Folder for databases, inside the project: the system's temporary folder may be in memory. */
const parent = join(fileURLToPath(new URL('../..', import.meta.url)), '.payctl', 'bench')
mkdirSync(parent, { recursive: true })
const folder = mkdtempSync(join(parent, 'million-'))
const server = values.database === 'postgres' ? await startPostgres() : undefined
try {
  const rows: Row[] = await measurePages(folder, server?.url, sizes)
  process.stdout.write(`${values.database}, ${sizes.many} transactions\n\n${render(rows)}\n`)
  process.exitCode = rows.every(met) ? 0 : 1
} finally {
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
}
