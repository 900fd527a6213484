import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import type { Place } from '../test/support/databases.js'
import { emptyDatabase, stopPostgres } from '../test/support/postgres.js'
import { startBouncer } from './bouncer.js'

/**
 * Runs `use` with an empty temporary installation: on SQLite, on PostgreSQL, or on PostgreSQL behind PgBouncer. The
 * PostgreSQL server runs until `stopPostgres` is called.
 */
export async function inTemporaryPlace<T>(database: string, use: (place: Place) => Promise<T>): Promise<T> {
  const home = mkdtempSync(join(tmpdir(), 'payctl-simulation-'))
  try {
    if (database === 'sqlite') return await use({ dialect: 'sqlite', home })
    const databaseUrl = await emptyDatabase()
    if (database !== 'pgbouncer') return await use({ dialect: 'postgres', home, databaseUrl })
    const bouncer = await startBouncer(databaseUrl)
    try {
      return await use({ dialect: 'postgres', home, databaseUrl: bouncer.url })
    } finally {
      await bouncer.stop()
    }
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

/** Runs one check on a temporary installation. Sets the exit code to 1 if the check fails. */
export async function checkInTemporaryPlace(
  database: string,
  check: (place: Place) => Promise<boolean>,
): Promise<void> {
  try {
    process.exitCode = (await inTemporaryPlace(database, check)) ? 0 : 1
  } finally {
    await stopPostgres()
  }
}

/** Prints a line of a script's report. */
export function tell(line: string): void {
  process.stdout.write(`${line}\n`)
}
