import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import type { Place } from '../test/support/databases.js'
import { emptyDatabase, stopPostgres } from '../test/support/postgres.js'
import { startBouncer } from './bouncer.js'

/**
 * Runs `use` with a temporary installation: an empty database for `postgres` and for `pgbouncer`, which is the same
 * behind PgBouncer; otherwise SQLite. Its PostgreSQL server runs until `stopPostgres`.
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

/** Runs a script that makes one check of one installation; the exit code is 1 unless the check passes. */
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
