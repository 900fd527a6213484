import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import type { Place } from '../test/support/databases.js'
import { emptyDatabase, stopPostgres } from '../test/support/postgres.js'

/**
 * Runs `use` with an empty temporary installation, on PostgreSQL or on SQLite. The PostgreSQL server runs until
 * `stopPostgres` is called.
 */
export async function inTemporaryPlace<T>(database: string, use: (place: Place) => Promise<T>): Promise<T> {
  const home = mkdtempSync(join(tmpdir(), 'payctl-simulation-'))
  try {
    const isPostgres = database === 'postgres'
    return await use(
      isPostgres
        ? { dialect: 'postgres', home, databaseUrl: await emptyDatabase() }
        : { dialect: 'sqlite', home },
    )
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
