import { UsageError } from '../../terminal/failure/failure.js'
import type { Settings } from '../../terminal/profiles/settings.js'

/** The folder of the SQLite databases. Throws a `UsageError` for PostgreSQL, which has its own tools. */
export function sqliteHome({ home, databaseUrl }: Settings, tool: 'pg_dump' | 'pg_restore'): string {
  if (!databaseUrl) return home.value
  throw new UsageError(
    `The database is PostgreSQL's (${databaseUrl.from}): use ${tool} --schema=payctl_test --schema=payctl_live; the keys are exported by payctl vault export${tool === 'pg_restore' ? ', and payctl gateways catch-up --since asks gateways what a restored copy has forgotten' : ''}`,
  )
}
